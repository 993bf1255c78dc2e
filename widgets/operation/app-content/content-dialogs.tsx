import { useState } from 'react'
import { CallError } from '../../../core/client/errors.ts'
import { useClient, useRead } from '../../../core/client/providers.tsx'
import type { Endpoint, OutputOf } from '../../../core/contract/endpoint.ts'
import { field } from '../../../core/contract/fields.ts'
import { appContent, appPlacements, type ShownContent } from '../../../core/contract/operation/app-content.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import { Button, Callout, Flex, Text } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { AppChoice, AppOrder } from '../../shared/app-order.tsx'

const placement = field.dict(appPlacements)
const phone = field.phone()
const titleOf = (language: string, { titles }: ShownContent): string =>
  titles[language as 'zh'] ?? titles.sw ?? titles.en ?? titles.zh ?? ''

/** Puts the contents of a place of an app into the order in which customers see them. */
export const ArrangeDialog = ({ close }: DialogProps<never>) => {
  const t = useText()
  const [app, setApp] = useState<string>()
  const [place, setPlace] = useState<string>('home_banner')
  const { data } = useRead(
    appContent.page,
    app === undefined
      ? null
      : { appCode: app, placement: [place as 'faq'], enabled: ['enabled'], sort: 'sort', pageSize: 100 },
  )
  const lines = (data?.list ?? []).map(one => ({ value: one.contentNo, label: one.title }))
  return (
    <AppOrder
      key={place}
      title={t('appContent.sort')}
      words={{ up: 'appContent.up', down: 'appContent.down' }}
      app={app}
      choose={setApp}
      before={
        <Field name="placement" schema={placement} value={place} onChange={value => setPlace(String(value ?? place))} />
      }
      lines={lines}
      command={appContent.arrange as Endpoint}
      input={(appCode, contentNos) => ({ appCode, placement: place, contentNos })}
      close={close}
    />
  )
}

type Seen = OutputOf<typeof appContent.seenBy>

const SeenList = ({ of }: { of: Seen }) => {
  const t = useText()
  return (
    <section className="mk-section">
      <h3>{t('appContent.statusOf', { status: dictText(t, 'CUSTOMER_STATUS', of.customerStatus) })}</h3>
      {of.list.length === 0 && <Text color="gray">{t('appContent.seesNothing')}</Text>}
      <ul>
        {of.list.map(one => (
          <li key={one.contentNo}>
            {dictText(t, 'APP_PLACEMENT', one.placement)} · {titleOf(t.language, one)}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What a customer of an app sees now; each look is noted. */
export const SeenByDialog = ({ close }: DialogProps<never>) => {
  const t = useText()
  const client = useClient()
  const [app, setApp] = useState<string>()
  const [number, setNumber] = useState<unknown>('')
  const [seen, setSeen] = useState<Seen | null>(null)
  const [note, setNote] = useState<string | null>(null)
  const ready = app !== undefined && phone.safeParse(number).success
  const look = async () => {
    setSeen(null)
    setNote(null)
    try {
      setSeen(await client.call(appContent.seenBy, { appCode: String(app), phone: String(number) }))
    } catch (error) {
      setNote(error instanceof CallError ? error.message : t('common.noConnection'))
    }
  }
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t('appContent.seenBy')}
      description={t('appContent.seenByHint')}
      footer={
        <>
          <DialogCancel />
          <Button disabled={!ready} onClick={() => void look()}>
            {t('appContent.look')}
          </Button>
        </>
      }
    >
      <Flex direction="column" gap="3">
        <AppChoice app={app} choose={setApp} />
        <Field name="phone" schema={phone} value={number} onChange={setNumber} />
        {note && (
          <Callout.Root color="amber" size="1" role="alert">
            <Callout.Text>{note}</Callout.Text>
          </Callout.Root>
        )}
        {seen && <SeenList of={seen} />}
      </Flex>
    </ModalDialog>
  )
}
