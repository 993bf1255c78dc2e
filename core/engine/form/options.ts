import { useMemo } from 'react'
import { useRead } from '../../client/providers.tsx'
import { common } from '../../contract/common/common.ts'
import { useText } from '../../element/i18n.ts'
import { dictText } from '../../i18n/plain.ts'
import type { Meta } from '../table/columns.ts'

/** A choice of a select: its value and its words. */
export type Option = { value: string; label: string }

const sources = {
  merchant: common.merchants,
  product: common.products,
  fundAccount: common.fundAccounts,
  refuseCode: common.refuseReasons,
  role: common.roles,
  app: common.apps,
} as const
const isListed = (kind: string): kind is keyof typeof sources => kind in sources

/** Whether a field of this kind is chosen from options. */
export const hasOptions = (meta: Meta) =>
  meta.kind === 'dict' || meta.kind === 'option' || meta.kind === 'flag' || meta.kind === 'user' || isListed(meta.kind)

/** What a field may be: words of its dictionary, or the records the caller may choose from. */
export const useOptions = (meta: Meta): readonly Option[] => {
  const t = useText()
  const source = isListed(meta.kind) ? sources[meta.kind] : common.merchants
  const { data } = useRead(source, isListed(meta.kind) ? {} : null, { background: true })
  const open = useRead(common.options, meta.kind === 'option' ? { KEY: meta.dict ?? '' } : null, {
    background: true,
  }).data
  const people = useRead(common.people, meta.kind === 'user' ? { post: meta.post, staff: 'all' } : null, {
    background: true,
  }).data
  return useMemo(() => {
    if (meta.kind === 'user') return people?.list.filter(one => one.leaf) ?? []
    if (meta.kind === 'flag')
      return [
        { value: 'true', label: t('common.yes') },
        { value: 'false', label: t('common.no') },
      ]
    if (meta.kind === 'option') return open?.list.filter(one => one.enabled) ?? []
    if (meta.kind !== 'dict') return data?.list ?? []
    const allowed = (meta.schema as { options?: readonly string[] }).options
    return (allowed ?? []).map(value => ({
      value,
      label: dictText(t, meta.dict, value),
    }))
  }, [meta, data, open, people, t])
}
