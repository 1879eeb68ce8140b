/** A grey block in the size of what will stand there; sizes come as classes. Hide it, or its list, from assistive technology. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <div className={`skeleton ${className}`} aria-hidden="true" />;
}
