import { RetryButton } from '#app/errors/retry-button.tsx';
import { SubmitButton } from '#app/forms/submit-button.tsx';
import { Button, type ButtonKind, getButtonClasses } from '#app/ui/button.tsx';
import { CopyButton } from '#app/ui/copy-button.tsx';
import type { Example } from '../example.ts';
import { busy, ignore } from '../sample-data.ts';

const kinds: readonly ButtonKind[] = ['primary', 'strong', 'line', 'danger', 'danger-line', 'ghost'];

export const buttons: readonly Example[] = [
  ...kinds.map((kind) => ({
    name: `Button ${kind}: at rest, busy, disabled`,
    render: () => (
      <div className="dev-row">
        <Button kind={kind}>Order Now</Button>
        <Button kind={kind} busy busyLabel="Ordering…">
          Order Now
        </Button>
        <Button kind={kind} disabled>
          Order Now
        </Button>
      </div>
    ),
  })),
  {
    name: 'Button sizes: action, bar, row',
    render: () => (
      <div className="dev-row">
        <Button kind="line">Action</Button>
        <Button kind="line" size="bar">
          Bar
        </Button>
        <Button kind="line" size="row">
          Row
        </Button>
      </div>
    ),
  },
  {
    name: 'A link that looks like a button',
    render: () => (
      <a href="#main" className={getButtonClasses('primary')}>
        See All Parts
      </a>
    ),
  },
  {
    name: 'SubmitButton: at rest, busy, waiting as the shop asked',
    render: () => (
      <div className="dev-row">
        <SubmitButton error={null} busy={false} busyLabel="Saving…">
          Update profile
        </SubmitButton>
        <SubmitButton error={null} busy busyLabel="Saving…">
          Update profile
        </SubmitButton>
        <SubmitButton error={busy} busy={false} busyLabel="Saving…">
          Update profile
        </SubmitButton>
      </div>
    ),
  },
  {
    name: 'RetryButton: at rest, busy, waiting as the shop asked',
    render: () => (
      <div className="dev-row">
        <RetryButton error={null} busy={false} onRetry={ignore} kind="strong" />
        <RetryButton error={null} busy onRetry={ignore} />
        <RetryButton error={busy} busy={false} onRetry={ignore} />
      </div>
    ),
  },
  { name: 'CopyButton', render: () => <CopyButton name="transaction id" text="pi_3QkWvL2eZvKYlo2C" /> },
];
