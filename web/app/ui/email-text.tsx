import { Fragment } from 'react';

/**
 * An email address that breaks before its @ where there is no room; where that is not enough, after a dot of its
 * domain, and only then within a word.
 */
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
