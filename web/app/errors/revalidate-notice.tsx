import { RefreshCw, TriangleAlert } from 'lucide';
import { useRevalidator } from 'react-router';
import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { Reference } from './reference.tsx';

interface RevalidateNoticeProps {
  what: 'parts' | 'reviews';
  requestId: string | null;
  /** Gives it a smaller heading and no announcement. */
  isSection?: boolean;
}

/** For a public list; retries the page's loader. */
export function RevalidateNotice({ what, requestId, isSection = false }: RevalidateNoticeProps) {
  const { revalidate, state } = useRevalidator();
  return (
    <Notice
      icon={TriangleAlert}
      alert={!isSection}
      level={isSection ? 3 : 2}
      title={`The ${what} could not be loaded`}
      action={
        <Button
          kind={isSection ? 'line' : 'strong'}
          busy={state === 'loading'}
          busyLabel="Trying again…"
          onClick={() => revalidate()}
        >
          <Icon of={RefreshCw} className="size-4" />
          Try again
        </Button>
      }
    >
      The server did not answer. Nothing is lost: try again, or come back in a minute.
      <Reference id={requestId} />
    </Notice>
  );
}
