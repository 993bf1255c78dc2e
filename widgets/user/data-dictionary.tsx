import { useRead } from '../../core/client/providers.tsx'
import type { ConfigRow } from '../../core/contract/config.ts'
import { dictionary, dictTypes } from '../../core/contract/user/dictionary.ts'
import { useText } from '../../core/element/i18n.ts'
import { configScreen } from '../../core/engine/config/config-screen.tsx'
import { Panes, type Part } from '../../core/engine/config/panes.tsx'
import { tabbed } from '../../core/engine/list/tabbed.tsx'
import { type Action, type Screen, screen } from '../../core/engine/screen.ts'
import { Failed, Loading } from '../../core/ui/states.tsx'
import { itemsOf } from './data-dictionary/items.tsx'

const all = { pageSize: 100 as const }

const Items = () => {
  const t = useText()
  const first = useRead(dictionary.typePage, all, { follows: true })
  // A hundred types are one page: there are a few more.
  const second = useRead(
    dictionary.typePage,
    first.data?.next ? { ...all, pageNum: 2, after: first.data.next } : null,
    {
      follows: true,
    },
  )
  const both = [...(first.data?.list ?? []), ...(first.data?.next ? (second.data?.list ?? []) : [])]
  // A type that was added meanwhile moves the pages: one of them may come twice.
  const types = [...new Map(both.map(type => [type.dictType, type])).values()]
  if (first.error) return <Failed message={t('common.noConnection')} onRetry={() => void first.retry()} />
  if (!first.data) return <Loading rows={8} />
  const screenOf = ({ name }: Part): Screen => {
    const type = types.find(({ dictType }) => dictType === name)
    return itemsOf(name, {
      system: type?.system ?? true,
      errors: type?.codeTableType === 'error_code',
      types: types.length,
    })
  }
  return (
    <Panes
      by="dictType"
      label={t('dictionary.types')}
      parts={types.map(({ dictType, dictName, itemCount }) => ({
        name: dictType,
        label: dictName,
        hint: dictType,
        count: itemCount,
      }))}
      screenOf={screenOf}
    />
  )
}

/** Puts the labels of one dictionary in force. */
const clear: Action<ConfigRow<typeof dictTypes>> = {
  run: dictionary.clearCache,
  label: 'dictionary.clearCache',
  input: ([row]) => ({ dictType: row?.dictType }),
  confirm: () => ({ key: 'dictionary.confirmClear', params: { n: 1 } }),
  done: 'dictionary.cleared',
}

const types = configScreen({
  config: dictTypes,
  filters: ['search', 'codeTableType'],
  columns: ['dictType', 'dictName', 'codeTableType', 'system', 'itemCount', 'typeSort'],
  confirm: {
    enable: 'dictionary.confirmEnableType',
    disable: 'dictionary.confirmDisableType',
    delete: 'dictionary.confirmDeleteType',
  },
  row: [clear],
})

/** Operations staff keep the words behind every code, and the text of every answer code, in every language. */
export default tabbed([
  {
    name: 'items',
    label: 'dictionary.items',
    screen: screen([...itemsOf('', { system: false, errors: false, types: 0 }).calls, dictionary.typePage], () => (
      <Items />
    )),
  },
  { name: 'types', label: 'dictionary.types', screen: types },
])
