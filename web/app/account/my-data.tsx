import { MAX_RECORDS } from '@parts-forge/contract/calls/bounds';
import { Download } from 'lucide';
import { FormError } from '#app/forms/form-error.tsx';
import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { saveFile } from '#app/ui/save-file.ts';
import { toast } from '#app/ui/toast.tsx';
import { useOnline } from '#app/ui/use-online.ts';
import { useReadUserData } from './queries.ts';

/** Downloads all data that the shop keeps about a person. */
export function MyData({ email }: { email: string }) {
  const online = useOnline();
  const reading = useReadUserData(email);
  const download = () =>
    reading.mutate(undefined, {
      onSuccess: (data) => {
        const day = data.exportedAt.slice(0, 10);
        saveFile(`my-data-${day}.json`, JSON.stringify(data, null, 2), 'application/json');
        toast(
          'success',
          data.isComplete
            ? 'Your data is downloaded'
            : `The newest ${MAX_RECORDS.toLocaleString('en')} entries of each kind are downloaded`,
        );
      },
    });
  return (
    <Panel
      heading="My data"
      about="Everything the shop keeps about you, as a JSON file: profile, orders, invoices, reviews, mails, what opens your account and sessions."
    >
      <FormError error={reading.error} className="mb-5" advice="Try again." />
      <Button
        kind="line"
        className="max-sm:w-full"
        busy={reading.isPending}
        busyLabel="Collecting…"
        disabled={!online}
        onClick={download}
      >
        <Icon of={Download} className="size-4" />
        Download my data
      </Button>
    </Panel>
  );
}
