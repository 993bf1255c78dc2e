import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import { type Contact, hotline } from '../../../core/contract/operation/hotline.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { listed } from '../../../core/engine/table/columns.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import { Button, Callout, Flex, Text } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Failed, Loading } from '../../../core/ui/states.tsx'
import { StatusBadge } from '../../../core/ui/status-badge.tsx'
import { SortedLines } from '../../shared/sorted-lines.tsx'

const { appCode } = hotline.arrange.input.shape

const AppChoice = ({ app, choose }: { app: string | undefined; choose: (app: string) => void }) => (
  <Field name="appCode" schema={appCode} value={app} onChange={value => choose(String(value))} autoFocus />
)

const nameIn = (language: string, { en, ...names }: Contact['displayName']): string =>
  (names as Record<string, string | undefined>)[language] ?? en

const OneContact = ({ contact }: { contact: Contact }) => {
  const t = useText()
  const { openNow, complaint, hotlineType, contactValue, opensAt, closesAt } = contact
  const days = contact.workDays.map(day => dictText(t, 'WEEK_DAY', day))
  const spoken = contact.languages.map(one => dictText(t, 'HOTLINE_LANGUAGE', one))
  return (
    <section className="mk-section">
      <h3>{nameIn(t.language, contact.displayName)}</h3>
      <Flex gap="2" align="center" wrap="wrap">
        <Text weight="bold">{contactValue}</Text>
        <Text color="gray">{dictText(t, 'HOTLINE_TYPE', hotlineType)}</Text>
        <StatusBadge tone={openNow ? 'good' : 'ended'} label={t(openNow ? 'hotline.open' : 'hotline.closed')} />
        {complaint && <StatusBadge tone="progress" label={t('fields.complaint')} />}
      </Flex>
      <Text as="p" size="1" color="gray">
        {listed(t, days)} {opensAt}–{closesAt} · {listed(t, spoken)}
      </Text>
    </section>
  )
}

const Contacts = ({ app }: { app: string }) => {
  const t = useText()
  const { data, error, retry } = useRead(hotline.shown, { appCode: app })
  if (error) return <Failed message={t('common.noConnection')} onRetry={() => void retry()} />
  if (!data) return <Loading rows={3} />
  if (data.list.length === 0) return <Text color="gray">{t('hotline.noContacts')}</Text>
  return data.list.map(contact => <OneContact key={contact.hotlineNo} contact={contact} />)
}

/** The contact page of an app, as its customers see it now. */
export const ContactPage = ({ close }: DialogProps<never>) => {
  const t = useText()
  const [app, setApp] = useState<string>()
  return (
    <ModalDialog open onClose={close} title={t('hotline.preview')} footer={<DialogCancel />}>
      <AppChoice app={app} choose={setApp} />
      {app !== undefined && <Contacts key={app} app={app} />}
    </ModalDialog>
  )
}

/** Puts the contacts of an app into the order in which its customers read them. */
export const ArrangeDialog = ({ close }: DialogProps<never>) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [app, setApp] = useState<string>()
  const [moved, setMoved] = useState<string[] | null>(null)
  const [note, setNote] = useState<string | null>(null)
  const { data } = useRead(hotline.shown, app === undefined ? null : { appCode: app })
  const order = moved ?? data?.list.map(one => one.hotlineNo) ?? []
  const lines = (data?.list ?? []).map(one => ({
    value: one.hotlineNo,
    label: `${nameIn(t.language, one.displayName)} ${one.contactValue}`,
  }))
  const save = async () => {
    if (app === undefined) return
    const input = { appCode: app, hotlineNos: order }
    const outcome = await send(hotline.arrange, input, { ids: [app], done: () => t('config.saved') })
    if (outcome.is === 'done') return close(true)
    setNote(outcome.is === 'unanswered' ? t('common.noAnswer') : outcome.error.message)
  }
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t('hotline.sort')}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} disabled={moved === null} onClick={() => void save()}>
            {t('config.save')}
          </Button>
        </>
      }
    >
      <AppChoice
        app={app}
        choose={next => {
          setMoved(null)
          setApp(next)
        }}
      />
      <SortedLines lines={lines} order={order} words={{ up: 'hotline.up', down: 'hotline.down' }} change={setMoved} />
      {note && (
        <Callout.Root color="amber" size="1" role="alert">
          <Callout.Text>{note}</Callout.Text>
        </Callout.Root>
      )}
    </ModalDialog>
  )
}
