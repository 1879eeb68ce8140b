const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789'];

/**
 * What a part number may have been meant to be in which one character is wrong, missing, too many or swapped with the next
 * one: some two thousand for 32 characters, each of which an index finds, however many parts there are.
 * @param number its small letters and digits alone
 */
export function listNearNumbers(number: string): string[] {
  const near = new Set<string>();
  for (let at = 0; at <= number.length; at += 1) {
    const [before, after] = [number.slice(0, at), number.slice(at)];
    for (const letter of LETTERS) {
      near.add(before + letter + after);
      if (after !== '') near.add(before + letter + after.slice(1));
    }
    near.add(before + after.slice(1));
    near.add(before + after.charAt(1) + after.charAt(0) + after.slice(2));
  }
  near.delete(number);
  return [...near];
}
