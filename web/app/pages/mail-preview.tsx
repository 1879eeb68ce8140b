import { useTheme } from '#app/layout/theme.ts';
import { MailPreview } from '#app/mail/mail-preview.tsx';
import type { Route } from './+types/mail-preview';

export default function MailPreviewPage({ params: { id } }: Route.ComponentProps) {
  return <MailPreview id={id} theme={useTheme()} />;
}
