import encodeQR from 'qr';

/** Modules of white around the code, which scanners ask for (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/**
 * A text as a QR code, black on white in both themes, as scanners want it. Nothing covers a part of it on a screen, so
 * that it needs little correction of errors and has large modules.
 * @param label what it is, in words
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
