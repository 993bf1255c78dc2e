import { useMemo, useState } from 'react'
import type { SensitiveKindName } from '../../../core/contract/sensitive-kinds.ts'
import { type CatalogueNode, type RoleDetail, type RoleRow, role } from '../../../core/contract/user/role.ts'
import { useText } from '../../../core/element/i18n.ts'
import { isStale, useCommand } from '../../../core/engine/form/use-command.ts'
import { Badge, Button, Callout, Text } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { type Draft, type Line, reviewOf } from './rights.ts'

type Props = {
  row: RoleRow
  held: Draft
  draft: Draft
  nodes: readonly CatalogueNode[]
  orphans: { held: RoleDetail['orphans']; kept: RoleDetail['orphans'] }
  version: number
  close: (changed?: boolean) => void
}

const Lines = ({ lines, sign }: { lines: readonly Line[]; sign: '+' | '−' }) => {
  const t = useText()
  return lines.map(({ name, checked }) => (
    <li key={name}>
      {sign} {name} {sign === '+' && checked && <Badge color="amber">{t('role.second')}</Badge>}
    </li>
  ))
}

/** What is added and what goes, those among it that the program no longer knows. */
const useReview = ({ held, draft, nodes, orphans }: Props) => {
  const t = useText()
  const by = useMemo(() => new Map(nodes.map(node => [node.menuNo, node])), [nodes])
  const review = reviewOf(held, draft, by, (kind: SensitiveKindName) => t(`dict.SENSITIVE_KIND.${kind}`))
  const gone = orphans.held
    .filter(one => !orphans.kept.includes(one))
    .map(({ code }) => ({ name: code, checked: false }))
  const removed = [...review.removed, ...gone]
  const isSame = review.added.length + removed.length + review.rules.length === 0
  return { review, removed, isSame }
}

/** Sends the whole draft. */
const useSave = ({ row, draft, orphans, version, close }: Props) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [note, setNote] = useState<string | null>(null)
  const save = async () => {
    const input = {
      roleNo: row.roleNo,
      version,
      permissions: [...draft.nodes, ...orphans.kept.map(one => one.menuNo)],
      dataRules: [...draft.rules].flatMap(([menuNo, limitType]) =>
        draft.nodes.has(menuNo) ? [{ menuNo, limitType }] : [],
      ),
      sensitivePerms: [...draft.kinds],
    }
    const outcome = await send(role.permissions, input, {
      ids: [row.roleNo],
      done: ({ waiting }) => (waiting ? t('role.sentSome', { n: waiting }) : t('role.saved')),
    })
    if (outcome.is === 'done') return close(true)
    if (outcome.is === 'unanswered') return setNote(t('common.noAnswer'))
    setNote(isStale(outcome.error) ? `${outcome.error.message} ${t('common.recordChanged')}` : outcome.error.message)
  }
  return { save, busy, note }
}

/** What will change, and how many people it concerns, before it is sent. */
export const ReviewDialog = (props: Props) => {
  const { row, close } = props
  const t = useText()
  const { review, removed, isSame } = useReview(props)
  const { save, busy, note } = useSave(props)
  return (
    <ModalDialog
      open
      wide
      onClose={() => close()}
      title={t('role.review')}
      description={
        isSame
          ? t('role.nothing')
          : t('role.confirmRights', {
              a: review.added.length,
              r: removed.length,
              m: row.memberCount,
              k: review.added.filter(one => one.checked).length,
            })
      }
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} disabled={isSame} onClick={() => void save()}>
            {t('role.saveRights')}
          </Button>
        </>
      }
    >
      <ul className="mk-refused">
        <Lines lines={review.added} sign="+" />
        <Lines lines={removed} sign="−" />
        {review.rules.map(({ name, before, after }) => (
          <li key={name}>
            {t('common.labelled', {
              label: name,
              value: `${t(`dict.LIMIT_TYPE.${before}`)} → ${t(`dict.LIMIT_TYPE.${after}`)}`,
            })}
          </li>
        ))}
      </ul>
      {note && (
        <Callout.Root color="amber" size="1" role="alert">
          <Callout.Text>{note}</Callout.Text>
        </Callout.Root>
      )}
      <Text size="1" color="gray">
        {t('role.secondHint')}
      </Text>
    </ModalDialog>
  )
}
