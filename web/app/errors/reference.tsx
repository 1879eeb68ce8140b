/**
 * Names a failure of the shop's own as its log does, so that it can be quoted to the shop; nothing without an id.
 * One press selects the whole id.
 */
export function Reference({ id, className = 'mt-2 text-muted' }: { id: string | null; className?: string }) {
  if (!id) return null;
  return (
    <span className={`num block text-sm [overflow-wrap:anywhere] ${className}`}>
      Reference <span className="select-all">{id}</span>
    </span>
  );
}
