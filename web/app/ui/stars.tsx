const star = 'M12 2.6l2.9 5.88 6.49.94-4.7 4.58 1.11 6.46L12 17.41l-5.8 3.05 1.1-6.46-4.69-4.58 6.49-.94z';

interface StarRowProps {
  kind: 'full' | 'line';
  /** Cuts the row off. */
  value?: number;
}

export function StarRow({ kind, value = 5 }: StarRowProps) {
  return (
    <svg
      className={kind === 'full' ? 'text-primary' : 'text-edge'}
      viewBox="0 0 120 24"
      aria-hidden="true"
      strokeLinejoin="round"
      strokeWidth="1.25"
      fill={kind === 'full' ? 'currentColor' : 'none'}
      stroke={kind === 'full' ? 'none' : 'currentColor'}
    >
      {/* An inner drawing is cut at its own edge. */}
      <svg width={value * 24} height="24" aria-hidden="true">
        {[0, 24, 48, 72, 96].map((x) => (
          <path key={x} transform={`translate(${x} 0)`} d={star} />
        ))}
      </svg>
    </svg>
  );
}

/** For 1 to 5 in halves. The figure stands beside them. */
export function Stars({ value }: { value: number }) {
  return (
    <span className="pf-stars">
      <StarRow kind="line" />
      <StarRow kind="full" value={value} />
    </span>
  );
}
