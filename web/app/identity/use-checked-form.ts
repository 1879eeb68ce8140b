import { type FormEvent, type RefObject, useRef, useState } from 'react';
import { deferBlur } from '#app/forms/defer-blur.ts';
import { useSingleFlight } from '#app/forms/use-single-flight.ts';

export type FieldMessages<Values> = Partial<Record<keyof Values & string, string>>;

/** Returns the values to send, or messages by field. */
export type Check<Values> = (
  entries: Record<string, unknown>,
) => { isRight: true; values: Values } | { isRight: false; errors: FieldMessages<Values> };

/** The validation library is only needed for input. */
export type LoadCheck<Values> = () => Promise<Check<Values>>;

/** Focuses the refused field. */
export type RefuseField<Values> = (name: keyof Values & string, message: string) => void;

/**
 * Checks each field when it is left, then on every change, and all fields before sending (specification §5).
 * The browser holds the values.
 * @param names fields in reading order
 */
export function useCheckedForm<Values extends object>(
  form: RefObject<HTMLFormElement | null>,
  load: LoadCheck<Values>,
  names: readonly (keyof Values & string)[],
) {
  const { errors, showErrors, checkAll, register } = useFieldChecks(form, load, names);
  const [isBusy, setBusy] = useState(false);
  const runAlone = useSingleFlight();
  const focus = (name: string) => {
    const field = form.current?.elements.namedItem(name);
    if (field instanceof HTMLElement) field.focus();
  };
  const refuse: RefuseField<Values> = (name, message) => {
    showErrors((others) => ({ ...others, [name]: message }));
    focus(name);
  };
  const send = async (submit: Submit<Values>) => {
    const checked = await checkAll();
    if (checked.isRight) return submit(checked.values, refuse);
    const first = names.find((name) => checked.errors[name] !== undefined);
    if (first) focus(first);
  };
  /** A second press during the first does nothing. */
  const handleSubmit = (submit: Submit<Values>) => (event: FormEvent) => {
    event.preventDefault();
    void runAlone(async () => {
      setBusy(true);
      await send(submit).finally(() => setBusy(false));
    });
  };
  return { errors, isBusy, register, handleSubmit };
}

type Submit<Values> = (values: Values, refuse: RefuseField<Values>) => Promise<void>;

function useFieldChecks<Values extends object>(
  form: RefObject<HTMLFormElement | null>,
  load: LoadCheck<Values>,
  names: readonly (keyof Values & string)[],
) {
  const [errors, showErrors] = useState<FieldMessages<Values>>({});
  const left = useRef<ReadonlySet<string>>(new Set());
  const lastCheck = useRef(0);
  const loadInTime = useRulesInTime(load);
  const check = async () => {
    const run = await loadInTime();
    // Read after the wait, to send later corrections too.
    const entries = form.current ? Object.fromEntries(new FormData(form.current)) : {};
    return run?.(entries) ?? { isRight: true as const, values: entries as Values };
  };
  const checkLeftFields = async () => {
    lastCheck.current += 1;
    const thisCheck = lastCheck.current;
    const checked = await check();
    // A newer check has started.
    if (thisCheck === lastCheck.current)
      showErrors(checked.isRight ? {} : pick(checked.errors, left.current));
  };
  const checkAll = async () => {
    const checked = await check();
    lastCheck.current += 1;
    left.current = new Set(names);
    showErrors(checked.isRight ? {} : checked.errors);
    return checked;
  };
  const onLeave = (name: string) => {
    left.current = new Set([...left.current, name]);
    void checkLeftFields();
  };
  const onChange = (name: string) => {
    if (left.current.has(name)) void checkLeftFields();
  };
  const register = (name: keyof Values & string) =>
    deferBlur({ name, onBlur: () => onLeave(name), onChange: () => onChange(name) });
  return { errors, showErrors, checkAll, register };
}

/**
 * In milliseconds, longer than any working connection takes. Later the service alone checks, by the same
 * rules.
 */
export const RULES_WAIT_MS = 10_000;

/**
 * Null if the rules fail to load or are late, as a connection can stall silently. After one timeout nobody
 * waits again.
 */
function useRulesInTime<Values>(load: LoadCheck<Values>): () => Promise<Check<Values> | null> {
  const hasGivenUp = useRef(false);
  return async () => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<null>((resolve) => {
      const giveUp = () => {
        hasGivenUp.current = true;
        resolve(null);
      };
      timer = setTimeout(giveUp, hasGivenUp.current ? 0 : RULES_WAIT_MS);
    });
    try {
      return await Promise.race([load(), late]);
    } catch {
      return null;
    } finally {
      clearTimeout(timer);
    }
  };
}

function pick<Values>(errors: FieldMessages<Values>, names: ReadonlySet<string>): FieldMessages<Values> {
  const entries = Object.entries(errors).filter(([name]) => names.has(name));
  return Object.fromEntries(entries) as FieldMessages<Values>;
}
