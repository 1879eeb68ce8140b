interface InStockCheckboxProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  className?: string;
}

export function InStockCheckbox({ checked, onChange, className = '' }: InStockCheckboxProps) {
  return (
    <label
      className={`flex min-h-11 cursor-pointer items-center gap-3 text-[0.9375rem] font-medium ${className}`}
    >
      <input
        type="checkbox"
        name="available"
        value="true"
        className="checkbox checkbox-neutral size-6 rounded-[3px]"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      In stock
    </label>
  );
}
