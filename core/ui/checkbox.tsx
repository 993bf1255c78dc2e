import { type ComponentProps, useLayoutEffect, useRef } from 'react'

type Props = Omit<ComponentProps<'input'>, 'checked' | 'onChange' | 'size' | 'type' | 'ref'> & {
  checked: boolean | 'indeterminate'
  onCheckedChange: (checked: boolean) => void
  /** 14 px in tables and filters, 16 px in forms. */
  size?: '1' | '2'
}

/** A box to tick: the browser's own, drawn as the rest of the console. */
export const Checkbox = ({ checked, onCheckedChange, size = '2', className = '', ...rest }: Props) => {
  const box = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (box.current) box.current.indeterminate = checked === 'indeterminate'
  }, [checked])
  return (
    <input
      {...rest}
      ref={box}
      type="checkbox"
      className={`mk-box mk-box-${size} ${className}`}
      checked={checked === true}
      onChange={event => onCheckedChange(event.target.checked)}
    />
  )
}
