import { useShop } from './shop.tsx';

export function Logo({ className = 'size-7' }: { className?: string }) {
  const { logo } = useShop();
  if (logo) return <img src={logo} className={`${className} object-contain`} width={28} height={28} alt="" />;
  return (
    <svg viewBox="0 0 28 28" className={className} fill="none" aria-hidden="true">
      <g strokeWidth="1.6" strokeLinejoin="round">
        <path d="M3 10.2 8.4 6.4v12.2L3 22.4Z" stroke="currentColor" fill="currentColor" />
        <path d="m11 10.2 5.4-3.8v12.2L11 22.4Z" stroke="currentColor" />
        <path d="m19 10.2 5.4-3.8v12.2L19 22.4Z" stroke="var(--color-accent)" fill="var(--color-accent)" />
      </g>
    </svg>
  );
}
