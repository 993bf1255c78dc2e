import { useHost } from '../../../element/context.ts'
import { copyValue } from '../../../element/copy.ts'
import { useText } from '../../../element/i18n.ts'
import { refusal } from '../../form/refusal.ts'
import type { Row } from '../../table/columns.ts'
import { focusFilter, useListKeys } from '../keys/use-list-keys.ts'

import type { ListViewState } from './use-list-view.ts'

/** The keys of a list, those of the row at the cursor among them. */
export const useViewKeys = (view: ListViewState): void => {
  const t = useText()
  const host = useHost()
  const { screen, answer, rowKeys, section, bulk, chosen, press, openRow, opens, byKey, reload, setHelping } = view
  const { rowKey } = screen
  const atCursor = (run: (one: Row) => void) => () => {
    const one = answer?.list[rowKeys.current?.at() ?? -1]
    if (one) run(one)
  }
  useListKeys({
    next: () => rowKeys.current?.move(1),
    previous: () => rowKeys.current?.move(-1),
    reload,
    help: () => setHelping(true),
    ...(screen.filters ? { filter: () => focusFilter(section.current) } : {}),
    copy: atCursor(one => void copyValue(section.current as HTMLElement, String(one[rowKey]), host.props.language)),
    ...(opens ? { open: atCursor(one => openRow(one)) } : {}),
    ...(byKey ? { acknowledge: atCursor(one => refusal(t, byKey, one) === null && press(byKey, [one])) } : {}),
    ...(bulk.length ? { choose: atCursor(one => chosen.toggle(String(one[rowKey]))) } : {}),
  })
}
