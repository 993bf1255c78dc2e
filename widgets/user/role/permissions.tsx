import { useMemo, useState } from 'react'
import { useMay, useRead } from '../../../core/client/providers.tsx'
import type { SensitiveKindName } from '../../../core/contract/sensitive-kinds.ts'
import {
  type CatalogueNode,
  limitRank,
  limitTypes,
  notOutsourced,
  type RoleDetail,
  type RoleRow,
  role,
  widestLimit,
} from '../../../core/contract/user/role.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Section } from '../../../core/engine/drawer/facts.tsx'
import { Button, Callout, Checkbox, Flex, Text, TextField } from '../../../core/ui/basics.ts'
import { Select } from '../../../core/ui/choose/select.tsx'
import { leavesOf, treeOf } from '../../../core/ui/choose/tree.ts'
import { TreeView } from '../../../core/ui/choose/tree-view.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { ReviewDialog } from './review.tsx'
import { type Draft, draftOf, grantTree, pressed } from './rights.ts'

type Given = { of: RoleDetail; nodes: readonly CatalogueNode[]; kinds: readonly SensitiveKindName[] }
type Edit = { draft: Draft; put: (draft: Draft) => void; disabled: boolean }
const filters = ['chosen', 'money'] as const

/** The menu with check boxes: a filter by words, only what is chosen, only what concerns money. */
const Grants = ({ nodes, draft, put, disabled }: Pick<Given, 'nodes'> & Edit) => {
  const t = useText()
  const [search, setSearch] = useState('')
  const [only, setOnly] = useState<ReadonlySet<(typeof filters)[number]>>(new Set())
  const by = useMemo(() => new Map(nodes.map(node => [node.menuNo, node])), [nodes])
  const tree = useMemo(() => {
    const all = grantTree(nodes, t('role.opens'))
    const isShown = (value: string) =>
      (!only.has('chosen') || draft.nodes.has(value)) && (!only.has('money') || Boolean(by.get(value)?.money))
    const whole = treeOf(all)
    const shown = all.filter(one => leavesOf(whole, one.value).some(isShown))
    return treeOf(only.size ? shown : all)
  }, [nodes, by, only, draft.nodes, t])
  const toggle = (one: (typeof filters)[number]) =>
    setOnly(now => new Set(now.has(one) ? [...now].filter(other => other !== one) : [...now, one]))
  return (
    <>
      <Flex gap="3" align="center" mb="2">
        <TextField.Root
          size="1"
          type="search"
          aria-label={t('common.search')}
          placeholder={t('common.search')}
          value={search}
          onChange={event => setSearch(event.target.value)}
        />
        {filters.map(one => (
          <Text as="label" size="2" key={one}>
            <Flex gap="1" align="center">
              <Checkbox checked={only.has(one)} onCheckedChange={() => toggle(one)} />
              {t(`role.only.${one}`)}
            </Flex>
          </Text>
        ))}
      </Flex>
      <TreeView
        tree={tree}
        label={t('role.permissions')}
        search={search}
        chosen={draft.nodes}
        single={false}
        onPress={value => !disabled && put({ ...draft, nodes: pressed(draft.nodes, leavesOf(tree, value), by) })}
      />
    </>
  )
}

/** The data rule of each chosen page; wider ones than the nature allows are not offered. */
const Rules = ({ of, nodes, draft, put, disabled }: Pick<Given, 'of' | 'nodes'> & Edit) => {
  const t = useText()
  const pages = nodes.filter(node => node.menuType === 'page' && draft.nodes.has(node.menuNo))
  if (pages.length === 0) return <Text color="gray">{t('role.noPages')}</Text>
  const cap = limitRank(widestLimit[of.roleNature])
  return (
    <div className="mk-small">
      <table>
        <thead>
          <tr>
            <th scope="col">{t('role.pageName')}</th>
            <th scope="col">{t('fields.dataEntity')}</th>
            <th scope="col">{t('fields.limitType')}</th>
          </tr>
        </thead>
        <tbody>
          {pages.map(page => {
            const now = draft.rules.get(page.menuNo) ?? page.defaultLimitType
            const offered = limitTypes.values.filter(
              limit => limit === now || (page.limitTypes.includes(limit) && limitRank(limit) <= cap),
            )
            return (
              <tr key={page.menuNo}>
                <th scope="row">{page.menuName}</th>
                <td>{t.maybe(`dict.DATA_ENTITY.${page.dataEntity}`) ?? page.dataEntity}</td>
                <td>
                  <Select.Root
                    size="1"
                    value={now}
                    disabled={disabled}
                    onValueChange={limit =>
                      put({ ...draft, rules: new Map(draft.rules).set(page.menuNo, limit as typeof now) })
                    }
                  >
                    <Select.Trigger aria-label={`${page.menuName} – ${t('fields.limitType')}`} />
                    <Select.Content>
                      {offered.map(limit => (
                        <Select.Item key={limit} value={limit}>
                          {t(`dict.LIMIT_TYPE.${limit}`)}
                        </Select.Item>
                      ))}
                    </Select.Content>
                  </Select.Root>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

const Kinds = ({ of, kinds, draft, put, disabled }: Pick<Given, 'of' | 'kinds'> & Edit) => {
  const t = useText()
  const offered = kinds.filter(
    kind => draft.kinds.has(kind) || of.roleNature !== 'outsourced' || !notOutsourced.includes(kind),
  )
  const toggle = (kind: SensitiveKindName) => {
    const next = new Set(draft.kinds)
    if (!next.delete(kind)) next.add(kind)
    put({ ...draft, kinds: next })
  }
  return (
    <Flex gap="3" wrap="wrap">
      {offered.map(kind => (
        <Text as="label" size="2" key={kind}>
          <Flex gap="1" align="center">
            <Checkbox checked={draft.kinds.has(kind)} disabled={disabled} onCheckedChange={() => toggle(kind)} />
            {t(`dict.SENSITIVE_KIND.${kind}`)}
          </Flex>
        </Text>
      ))}
    </Flex>
  )
}

const Editor = ({ of, nodes, kinds, row, done }: Given & { row: RoleRow; done: () => void }) => {
  const t = useText()
  const held = useMemo(() => draftOf(of, nodes), [of, nodes])
  const [draft, put] = useState(held)
  const [orphans, setOrphans] = useState(() => of.orphans)
  const [asked, setAsked] = useState(false)
  const disabled = !useMay().call(role.permissions)
  const edit = { draft, put, disabled }
  return (
    <>
      <Section title={t('role.permissions')} wide>
        <Grants nodes={nodes} {...edit} />
      </Section>
      {of.orphans.length > 0 && (
        <Section title={t('role.orphans')}>
          <Callout.Root color="amber" size="1">
            <Callout.Text>{t('role.orphanHint')}</Callout.Text>
          </Callout.Root>
          {of.orphans.map(one => (
            <Text as="label" size="2" key={one.menuNo}>
              <Flex gap="1" align="center">
                <Checkbox
                  checked={orphans.includes(one)}
                  disabled={disabled}
                  onCheckedChange={() =>
                    setOrphans(now => (now.includes(one) ? now.filter(other => other !== one) : [...now, one]))
                  }
                />
                <span className="mk-key">{one.code}</span>
              </Flex>
            </Text>
          ))}
        </Section>
      )}
      <Section title={t('role.dataRules')} wide>
        <Rules of={of} nodes={nodes} {...edit} />
      </Section>
      <Section title={t('role.sensitive')} wide>
        <Kinds of={of} kinds={kinds} {...edit} />
      </Section>
      {!disabled && <Button onClick={() => setAsked(true)}>{t('role.review')}</Button>}
      {asked && (
        <ReviewDialog
          row={row}
          held={held}
          draft={draft}
          nodes={nodes}
          orphans={{ held: of.orphans, kept: orphans }}
          version={of.version}
          close={changed => {
            setAsked(false)
            if (changed) done()
          }}
        />
      )}
    </>
  )
}

/** What the role may open, do and see; edited here, and reviewed before it is sent. */
export const Permissions = ({ row, reload }: { row: RoleRow; reload: () => void }) => {
  const read = useRead(role.detail, { roleNo: row.roleNo })
  const catalogue = useRead(role.catalogue, {})
  return (
    <Loaded read={read}>
      {of => (
        <Loaded read={catalogue}>
          {({ nodes, kinds }) => (
            <Editor
              key={of.version}
              of={of}
              nodes={nodes}
              kinds={kinds}
              row={row}
              done={() => {
                void read.retry()
                reload()
              }}
            />
          )}
        </Loaded>
      )}
    </Loaded>
  )
}
