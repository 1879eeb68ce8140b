import encodeQR from 'qr';

/** White modules around the code (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/**
 * Black on white in both themes, as scanners need it. A screen needs little error correction, which allows
 * large modules.
 * @param label the accessible name
 */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, 'raw', { ecc: 'low', border: QUIET_ZONE });
  const path = rows
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      className="size-52 rounded-field border border-base-300"
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${rows.length}v${rows.length}H0z`} />
      <path fill="#000" d={path} />
    </svg>
  );
}
