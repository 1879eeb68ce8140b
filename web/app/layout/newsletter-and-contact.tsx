import { type FormEvent, type ReactNode, useState } from 'react';
import { getButtonClasses } from '#app/ui/button.tsx';
import { Field, TextArea } from '#app/ui/field.tsx';
import { usePageSettings } from '#app/ui/shop.tsx';

/** Sending does nothing (specification §1), and says so. */
export function NewsletterAndContact() {
  return (
    <section className="border-t border-base-300 bg-base-200" aria-label="Newsletter and contact">
      <div className="wrap grid md:grid-cols-2">
        <BoxForm
          title="Newsletter"
          text="New parts, price changes and stock dates, once a month."
          send="Subscribe"
          className="md:border-r md:py-20 md:pr-12"
        >
          <EmailField id="news-email" />
        </BoxForm>
        <BoxForm
          title="Contact"
          text="A part that is not in the list, or a quantity above our stock."
          send="Send"
          className="max-md:border-t md:py-20 md:pl-12"
        >
          <EmailField id="contact-email" />
          <TextArea id="contact-message" label="Message" rows={4} />
        </BoxForm>
      </div>
    </section>
  );
}

interface BoxFormProps {
  title: string;
  text: string;
  send: string;
  className: string;
  children: ReactNode;
}

function BoxForm({ title, text, send, className, children }: BoxFormProps) {
  const [isPressed, setIsPressed] = useState(false);
  const press = (event: FormEvent) => {
    event.preventDefault();
    setIsPressed(true);
  };
  return (
    <div className={`border-base-300 py-12 ${className}`}>
      <h2 className="display text-h2">{title}</h2>
      <p className="mt-2 max-w-[44ch] text-muted">{text}</p>
      {/* Outside a dialog this method sends nothing, even before JavaScript arrives. */}
      <form className="mt-8 grid max-w-md gap-4" method="dialog" noValidate onSubmit={press}>
        {children}
        <button
          type="submit"
          className={getButtonClasses('strong', 'action', 'justify-self-start max-sm:w-full')}
        >
          {send}
        </button>
        {/* Rendered from the beginning, so that its text is announced. */}
        <p aria-live="polite" aria-atomic="true" className="empty:hidden">
          {isPressed && <NothingSent />}
        </p>
      </form>
    </div>
  );
}

function NothingSent() {
  const { contactEmail } = usePageSettings();
  return (
    <>
      Nothing was sent: this form is not connected.{' '}
      {contactEmail !== null && (
        <>
          Write to{' '}
          <a className="pf-link font-semibold [overflow-wrap:anywhere]" href={`mailto:${contactEmail}`}>
            {contactEmail}
          </a>{' '}
          instead.
        </>
      )}
    </>
  );
}

function EmailField({ id }: { id: string }) {
  return <Field id={id} label="Email" type="email" autoComplete="email" placeholder="name@company.com" />;
}
