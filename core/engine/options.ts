import { useMemo } from 'react'
import { useRead } from '../client/providers.tsx'
import { common } from '../contract/common.ts'
import { type DictKey, dictionaries } from '../contract/dictionaries.ts'
import { useText } from '../element/i18n.ts'
import { dictText } from '../i18n/plain.ts'
import type { Meta } from './columns.ts'

export type Option = { value: string; label: string }

const sources = {
  merchant: common.merchants,
  product: common.products,
  user: common.auditors,
  fundAccount: common.fundAccounts,
} as const
const isListed = (kind: string): kind is keyof typeof sources => kind in sources

export const hasOptions = (meta: Meta) => meta.kind === 'dict' || meta.kind === 'flag' || isListed(meta.kind)

/** What a field may be: words of its dictionary, or the records the caller may choose from. */
export const useOptions = (meta: Meta): readonly Option[] => {
  const t = useText()
  const source = isListed(meta.kind) ? sources[meta.kind] : common.merchants
  const { data } = useRead(source, isListed(meta.kind) ? {} : null, { background: true })
  return useMemo(() => {
    if (meta.kind === 'flag')
      return [
        { value: 'true', label: t('common.yes') },
        { value: 'false', label: t('common.no') },
      ]
    if (meta.kind !== 'dict') return data?.list ?? []
    const allowed = (meta.schema as { options?: readonly string[] }).options
    return (allowed ?? dictionaries[meta.dict as DictKey] ?? []).map(value => ({
      value,
      label: dictText(t, meta.dict, value),
    }))
  }, [meta, data, t])
}
