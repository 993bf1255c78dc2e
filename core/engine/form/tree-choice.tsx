import { lazy, Suspense, useMemo, useState } from 'react'
import { useRead } from '../../client/providers.tsx'
import { common } from '../../contract/common/common.ts'
import { useText } from '../../element/i18n.ts'
import { Skeleton } from '../../ui/basics.ts'
import { ChooseButton } from '../../ui/choose/choose-button.tsx'
import type { TreeNode } from '../../ui/choose/tree.ts'
import type { Tied } from '../../ui/labelled.tsx'
import { Popover } from '../../ui/overlay/popover.tsx'
import type { Meta } from '../table/columns.ts'
import { companyNodes, organizationNodes } from './tree-nodes.ts'

const TreePanel = lazy(async () => ({ default: (await import('../../ui/choose/tree-panel.tsx')).TreePanel }))

/** The nodes of each tree; only the one that is `asked` for is fetched. */
const useNodes = ({ kind, post }: Meta, past: boolean, asked: boolean): readonly TreeNode[] | undefined => {
  const input = (tree: string) => (asked && kind === tree ? {} : null)
  const background = { background: true }
  const whom = { post, staff: past ? 'all' : 'present' } as const
  const people = useRead(common.people, input('user') && whom, background).data
  const companies = useRead(common.companies, input('merchant'), background).data
  const departments = useRead(common.departments, input('dept'), background).data
  const organizations = useRead(common.organizations, input('organization'), background).data
  return useMemo(
    () =>
      people?.list ??
      departments?.list ??
      (companies && companyNodes(companies.list)) ??
      (organizations && organizationNodes(organizations.list)),
    [people, departments, companies, organizations],
  )
}

const trees = new Set(['user', 'merchant', 'organization', 'dept'])
/** Whether a field is chosen from a tree: people by department, departments and companies by the one above, merchants by company. */
export const isTree = ({ kind }: Meta): boolean => trees.has(kind)

type Props = {
  meta: Meta
  label: string
  value: unknown
  onChange: (value: unknown) => void
  tied?: Tied
  /** People who have left are among the choices: what they did is still looked for. */
  past?: boolean
}

/** Chooses people, merchants or companies in the tree that the caller's data rule leaves; it is fetched when it is opened. */
export const TreeChoice = ({ meta, label, value, onChange, tied, past = false }: Props) => {
  const t = useText()
  const [open, setOpen] = useState(false)
  const chosen = Array.isArray(value) ? (value as string[]) : value ? [String(value)] : []
  const nodes = useNodes(meta, past, open || chosen.length > 0)
  const first = chosen[0] && (nodes?.find(node => node.value === chosen[0])?.label ?? chosen[0])
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
          {nodes ? (
            <TreePanel
              nodes={nodes}
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
