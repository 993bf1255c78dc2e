import { lazy, Suspense, useState } from 'react'
import { useRead } from '../client/providers.tsx'
import { common } from '../contract/common.ts'
import { useText } from '../element/i18n.ts'
import { Skeleton } from '../ui/basics.ts'
import { ChooseButton } from '../ui/choose-button.tsx'
import type { Tied } from '../ui/labelled.tsx'
import { part } from '../ui/late.ts'
import { Popover } from '../ui/popover.tsx'
import type { Meta } from './columns.ts'

const TreePanel = lazy(() => part(async () => ({ default: (await import('../ui/tree-panel.tsx')).TreePanel })))

const sources = { user: common.people, merchant: common.companies, organization: common.organizations } as const
/** Whether a field is chosen from a tree: people by department, merchants by company, companies by the company above. */
export const isTree = ({ kind }: Meta): boolean => kind in sources

type Props = {
  meta: Meta
  label: string
  value: unknown
  onChange: (value: unknown) => void
  tied?: Tied
}

/** Chooses people, merchants or companies in the tree that the caller's data rule leaves; it is fetched when it is opened. */
export const TreeChoice = ({ meta, label, value, onChange, tied }: Props) => {
  const t = useText()
  const [open, setOpen] = useState(false)
  const chosen = Array.isArray(value) ? (value as string[]) : value ? [String(value)] : []
  const source = sources[meta.kind as keyof typeof sources]
  const { data } = useRead(source, open || chosen.length ? {} : null, { background: true })
  const first = chosen[0] && (data?.list.find(node => node.value === chosen[0])?.label ?? chosen[0])
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger>
        <ChooseButton
          label={label}
          shown={first ? (chosen.length > 1 ? `${first} +${chosen.length - 1}` : first) : null}
          tied={tied}
          choose={t('common.choose')}
        />
      </Popover.Trigger>
      <Popover.Content size="1" width="300px" aria-label={label}>
        <Suspense fallback={<Skeleton height="320px" />}>
          {data ? (
            <TreePanel
              nodes={data.list}
              label={label}
              value={chosen}
              single={!meta.many}
              onChange={next => onChange(meta.many ? (next.length ? next : undefined) : next[0])}
              done={() => setOpen(false)}
              words={{ search: t('common.search'), none: t('common.noMatch'), clear: t('common.clear') }}
            />
          ) : (
            <Skeleton height="320px" />
          )}
        </Suspense>
      </Popover.Content>
    </Popover.Root>
  )
}
