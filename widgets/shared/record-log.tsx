import { useState } from 'react'
import { useMay } from '../../core/client/providers.tsx'
import { common } from '../../core/contract/common/common.ts'
import { useText } from '../../core/element/i18n.ts'
import { Section } from '../../core/engine/drawer/facts.tsx'
import { Button } from '../../core/ui/basics.ts'
import { ChangeLog, type LogOf } from './change-log.tsx'
import { PagedTable } from './paged-table.tsx'

/** Who saw values of a record in full, fetched its files or looked for it. */
export const RecordAccess = ({ of }: { of: LogOf }) => {
  const t = useText()
  return (
    <PagedTable
      list={common.accessLog}
      filters={of}
      size={10}
      batch={50}
      rowKey="accessNo"
      names={['at', 'realName', 'accessKind', 'field', 'reason', 'result']}
      cells={{
        field: row =>
          String(row.field ?? '–')
            .split(',')
            .map(name => t.maybe(`fields.${name}`) ?? name)
            .join(', '),
      }}
      empty={t('log.noAccess')}
      label={t('log.access')}
    />
  )
}

/** Both logs of a record, for those who may read them. */
export const RecordLogs = ({ of }: { of: LogOf }) => {
  const t = useText()
  return (
    <>
      <Section title={t('log.changes')}>
        <ChangeLog {...of} />
      </Section>
      <Section title={t('log.access')}>
        <RecordAccess of={of} />
      </Section>
    </>
  )
}

/** The same at the end of a drawer: asked for when somebody wants them. */
export const RecordLog = ({ of }: { of: LogOf }) => {
  const t = useText()
  const may = useMay()
  const [open, setOpen] = useState(false)
  if (!may.call(common.auditLog)) return null
  if (open) return <RecordLogs of={of} />
  return (
    <Button size="1" variant="soft" color="gray" mt="3" onClick={() => setOpen(true)}>
      {t('log.show')}
    </Button>
  )
}
