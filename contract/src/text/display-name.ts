/** First word of the display name, or 'user' (specification §2). */
export const firstWord = (displayName: string | null | undefined): string =>
  displayName?.trim().split(/\s/)[0] || 'user';
