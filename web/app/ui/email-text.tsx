import { Fragment } from 'react';

/** Breaks before the @, then after a dot of the domain, and last within a word. */
export function EmailText({ email }: { email: string }) {
  const at = email.lastIndexOf('@');
  return (
    <span className="[overflow-wrap:anywhere]">
      {email.slice(0, at)}
      <span className="inline-block">
        {email
          .slice(at)
          .split(/(?<=\.)/)
          .map((word, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the words of one text have nothing else.
            <Fragment key={index}>
              {index > 0 && <wbr />}
              {word}
            </Fragment>
          ))}
      </span>
    </span>
  );
}
