import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import type { Endpoint } from '../../../core/contract/endpoint.ts'
import { type Contact, hotline } from '../../../core/contract/operation/hotline.ts'
import { useText } from '../../../core/element/i18n.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { listed } from '../../../core/engine/table/columns.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import { Flex, Text } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Failed, Loading } from '../../../core/ui/states.tsx'
import { StatusBadge } from '../../../core/ui/status-badge.tsx'
import { AppChoice, AppOrder } from '../../shared/app-order.tsx'

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
  const [app, setApp] = useState<string>()
  const { data } = useRead(hotline.shown, app === undefined ? null : { appCode: app })
  const lines = (data?.list ?? []).map(one => ({
    value: one.hotlineNo,
    label: `${nameIn(t.language, one.displayName)} ${one.contactValue}`,
  }))
  return (
    <AppOrder
      title={t('hotline.sort')}
      words={{ up: 'hotline.up', down: 'hotline.down' }}
      app={app}
      choose={setApp}
      lines={lines}
      command={hotline.arrange as Endpoint}
      input={(appCode, hotlineNos) => ({ appCode, hotlineNos })}
      close={close}
    />
  )
}
