import 'mkopo/mkopo-after-loan-repayment-management.js'
import type { MkopoElements, MkopoEvents, MkopoProperties } from 'mkopo'

/** What a Vue template hands to its element: `<mkopo-… v-bind="props" @mkopo-action="onAction">`. */
export const props: MkopoProperties = { token: 'an embed token', language: 'en', open: 'LO1' }

export const onAction = ({ detail }: CustomEvent<MkopoEvents['mkopo-action']>): number => detail.counts?.ok ?? 0

export const isCustomElement = (tag: string): tag is keyof MkopoElements => tag.startsWith('mkopo-')

/** As `useTemplateRef` gives it. */
export const focusRow = (widget: MkopoElements['mkopo-after-loan-repayment-management'] | null, orderNo: string) => {
  if (!widget) return
  widget.open = orderNo
  // @ts-expect-error: orderNo is text
  widget.orderNo = 7
}
