/** For a part without a picture. */
export function MissingPicture({ label }: { label?: string }) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: named by its attribute where it stands for a picture.
    <svg
      viewBox="0 0 200 200"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinejoin="round"
      strokeLinecap="round"
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      <rect x="58" y="26" width="76" height="140" rx="11" fill="currentColor" fillOpacity=".07" />
      <rect x="74" y="58" width="44" height="60" rx="4" stroke="var(--color-accent)" strokeDasharray="6 4" />
      <path d="M70 134h52M70 144h34" opacity=".6" />
      <path d="M96 14v166" stroke="var(--color-accent)" strokeWidth="1" strokeDasharray="14 3 2 3" />
      <path d="M58 186h76M58 182v8M134 182v8" strokeWidth="1" opacity=".7" />
    </svg>
  );
}
