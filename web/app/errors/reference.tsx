/** The customer quotes this id to the shop. One press selects all of it. */
export function Reference({ id, className = 'mt-2 text-muted' }: { id: string | null; className?: string }) {
  if (!id) return null;
  return (
    <span className={`num block text-sm [overflow-wrap:anywhere] ${className}`}>
      Reference <span className="select-all">{id}</span>
    </span>
  );
}
