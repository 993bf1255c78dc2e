import type { DrawnColumn } from './columns.ts'

/** The columns of a list as the picker shows them; `first` is the key column, which stays. */
export type PickerProps = {
  all: readonly DrawnColumn[]
  shown: readonly string[]
  first: string
  /** Widths that were chosen, in pixels, and how wide a column is by itself. */
  widths: Readonly<Record<string, number>>
  widthNow: (id: string) => number
  /** `undefined` is the choice of the screen. */
  onChange: (shown: readonly string[] | undefined) => void
  /** `undefined` is as wide as its values are. */
  onWidth: (id: string, width: number | undefined) => void
}
