import { ShieldCheck, ShieldOff } from 'lucide';
import { Banner } from '#app/ui/banner.tsx';
import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { useOnline } from '#app/ui/use-online.ts';

/** Each change asks for the password first. */
export type SecondFactorChange = 'set-up' | 'new-codes' | 'switch-off';

interface SecondFactorStateProps {
  isOn: boolean;
  /** Whether the shop requires one of administrators. */
  isRequired: boolean;
  onChange: (change: SecondFactorChange) => void;
}

export function SecondFactorState({ isOn, isRequired, onChange }: SecondFactorStateProps) {
  const disabled = !useOnline();
  if (!isOn) {
    return (
      <>
        {isRequired && (
          <Banner kind="info" className="mb-5">
            This shop requires a second factor of its administrators. Until you switch it on, you can open
            only your own pages.
          </Banner>
        )}
        <p className="mb-5 flex items-center gap-2 font-medium">
          <Icon of={ShieldOff} className="size-5 text-muted" />
          Off
        </p>
        <Button
          kind="strong"
          className="max-sm:w-full"
          disabled={disabled}
          onClick={() => onChange('set-up')}
        >
          Set up
        </Button>
      </>
    );
  }
  return (
    <>
      <p className="mb-5 flex items-center gap-2 font-medium">
        <Icon of={ShieldCheck} className="size-5 text-success" />
        On
      </p>
      <div className="flex gap-3 max-sm:flex-col">
        <Button kind="line" disabled={disabled} onClick={() => onChange('new-codes')}>
          New backup codes
        </Button>
        <Button kind="danger-line" disabled={disabled} onClick={() => onChange('switch-off')}>
          Switch off
        </Button>
      </div>
    </>
  );
}
