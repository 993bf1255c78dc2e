import { useRead } from '../../../core/client/providers.tsx'
import { common } from '../../../core/contract/common/common.ts'
import type { OutputOf } from '../../../core/contract/endpoint.ts'
import {
  type SensitiveField,
  sensitiveInfo,
  sensitiveSettings,
} from '../../../core/contract/operation/sensitive-info.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Changes } from '../../../core/engine/config/changes.tsx'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { ApprovalBox } from '../../../core/engine/form/approval-box.tsx'
import { Dict } from '../../../core/engine/table/value.tsx'
import { eatDateTime } from '../../../core/rules/time.ts'
import { Bars } from '../../../core/ui/bars.tsx'
import { Text } from '../../../core/ui/basics.ts'
import { Drawer } from '../../../core/ui/overlay/drawer.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

const { shape } = sensitiveInfo.detail.output
const rowShape = sensitiveInfo.page.output.shape.list.element

const Waiting = ({ row, changed }: { row: SensitiveField; changed: () => void }) => {
  const of = { objectType: 'sensitive_field', objectNo: row.fieldKey, approvalStatus: ['pending' as const] }
  const { data, retry } = useRead(common.approvals, of)
  const decided = () => {
    void retry()
    changed()
  }
  return data?.list.map(one => <ApprovalBox key={one.approvalNo} approval={one} onChange={decided} />)
}

type Detail = OutputOf<typeof sensitiveInfo.detail>

/** Reveals of each day, who may reveal, and where the value is shown. */
const Reveals = ({ byDay, allowedRoles, screens }: Detail) => {
  const t = useText()
  return (
    <>
      <Section title={t('fields.byDay')}>
        {byDay.length === 0 ? (
          <Text color="gray">{t('sensitiveInfo.noReveals')}</Text>
        ) : (
          <Bars
            label={t('fields.byDay')}
            bars={byDay.map(({ date, count }) => ({
              name: date.slice(5),
              value: count,
              label: t('sensitiveInfo.revealsOf', { date, n: count }),
            }))}
          />
        )}
      </Section>
      <Section title={t('fields.allowedRoles')}>
        <SmallTable
          schema={shape.allowedRoles.element}
          rows={allowedRoles}
          rowKey="roleNo"
          names={['roleName', 'userCount']}
          empty={t('sensitiveInfo.noRoles')}
        />
      </Section>
      <Section title={t('fields.screens')}>
        <ul className="mk-refused">
          {screens.map(({ tag, screenName }) => (
            <li key={tag}>{screenName}</li>
          ))}
        </ul>
      </Section>
    </>
  )
}

const History = ({ history }: Detail) => {
  const t = useText()
  return (
    <Section title={t('config.history')}>
      {history.length === 0 && <Text color="gray">{t('config.noHistory')}</Text>}
      {history.map(({ version, changedBy, changedTime, checkedBy, changes }) => (
        <section key={version}>
          <Text as="p" size="1" color="gray" mb="2">
            {t('config.historyBy', { name: changedBy, time: eatDateTime(changedTime).slice(0, 16), version })}
            {checkedBy !== null && ` · ${t('config.checkedBy', { name: checkedBy })}`}
          </Text>
          <Changes shape={sensitiveSettings} changes={changes} />
        </section>
      ))}
    </Section>
  )
}

/** A kind of sensitive value: how it is guarded, where it is shown, who may reveal it, and what was changed. */
export const FieldDrawer = ({
  row,
  close,
  changed,
}: {
  row: SensitiveField
  close: () => void
  changed: () => void
}) => {
  const t = useText()
  const read = useRead(sensitiveInfo.detail, { fieldKey: row.fieldKey })
  return (
    <Drawer open onClose={close} title={<Dict dict="SENSITIVE_KIND" value={row.fieldKey} />}>
      {row.pendingApproval !== null && (
        <Section title={t('config.change')}>
          <Waiting row={row} changed={changed} />
        </Section>
      )}
      <Section title={t('config.settings')}>
        <Facts
          schema={rowShape}
          value={row}
          names={[...Object.keys(sensitiveSettings), 'revealPerm', 'holderCount', 'updatedBy', 'updatedTime']}
        />
      </Section>
      <Loaded read={read}>
        {detail => (
          <>
            <Reveals {...detail} />
            <History {...detail} />
          </>
        )}
      </Loaded>
    </Drawer>
  )
}
