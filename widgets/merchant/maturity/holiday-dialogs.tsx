import { type ReactNode, useState } from 'react'
import { businessConfigs, type Holiday } from '../../../core/contract/common/business-config.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { eatDate } from '../../../core/rules/time.ts'
import { Button, Callout, Text } from '../../../core/ui/basics.ts'
import { Labelled } from '../../../core/ui/labelled.tsx'
import { TextArea } from '../../../core/ui/more.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { type HolidayLine, holidayLines } from './holiday-lines.ts'

const { element } = businessConfigs.PUBLIC_HOLIDAYS.schema
type Draft = Partial<Holiday>
type Props = {
  send: (added: Holiday[]) => void
  busy: boolean
  wrong: string | null
  close: () => void
}
type FrameProps = Pick<Props, 'busy' | 'close'> & {
  title: string
  button: string
  disabled?: boolean
  wrong: string | null
  go: () => void
  children: ReactNode
}

const Frame = ({ title, button, disabled = false, busy, wrong, go, close, children }: FrameProps) => {
  const t = useText()
  return (
    <ModalDialog
      open
      onClose={close}
      title={title}
      description={t('holidays.confirmAdd')}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} disabled={disabled} onClick={go}>
            {button}
          </Button>
        </>
      }
    >
      <div className="mk-form">
        {children}
        {wrong && (
          <Callout.Root color="amber" size="1" role="alert">
            <Callout.Text>{wrong}</Callout.Text>
          </Callout.Root>
        )}
      </div>
    </ModalDialog>
  )
}

/** One holiday. */
export const AddHoliday = ({ send, busy, wrong, close }: Props) => {
  const t = useText()
  const [one, setOne] = useState<Draft>({ closed: true })
  const [lacks, setLacks] = useState(false)
  const add = () => {
    const { data } = element.safeParse(one)
    setLacks(!data)
    if (data) send([data])
  }
  const title = t('holidays.add')
  return (
    <Frame {...{ title, busy, close }} button={title} wrong={lacks ? t('validation.infoComplete') : wrong} go={add}>
      {Object.entries(element.shape).map(([name, schema]) => (
        <Field
          key={name}
          name={name}
          schema={schema}
          value={one[name as keyof Draft]}
          onChange={value => setOne(old => ({ ...old, [name]: value }) as Draft)}
        />
      ))}
    </Frame>
  )
}

/** What will be taken of the pasted lines, the badly read ones first and with the reason. */
const LinePreview = ({ lines }: { lines: readonly HolidayLine[] }) => {
  const t = useText()
  const bad = lines.filter(one => one.bad)
  const good = lines.filter(one => one.holiday)
  return (
    <>
      <Text as="p" size="2" role="status">
        {t('holidays.read', { good: good.length, bad: bad.length })}
      </Text>
      <div className="mk-small">
        <table>
          <thead>
            <tr>
              <th scope="col">{t('holidays.line')}</th>
              <th scope="col">{t('holidays.pasted')}</th>
              <th scope="col">{t('holidays.outcome')}</th>
            </tr>
          </thead>
          <tbody>
            {[...bad, ...good].map(({ line, text, bad: reason }) => (
              <tr key={line}>
                <th scope="row">{line}</th>
                <td>{text}</td>
                <td>
                  <Text size="1" {...(reason ? { color: 'red' as const } : {})}>
                    {t(reason ? `holidays.bad.${reason}` : 'holidays.willAdd')}
                  </Text>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** The holidays of a year as pasted lines; nothing is sent while a line cannot be taken. */
export const ImportHolidays = ({ send, busy, wrong, close, known }: Props & { known: readonly Holiday[] }) => {
  const t = useText()
  const [pasted, setPasted] = useState('')
  const lines = holidayLines(pasted, eatDate(new Date()), known)
  const good = lines.flatMap(one => one.holiday ?? [])
  return (
    <Frame
      {...{ busy, close, wrong }}
      title={t('holidays.import')}
      button={t('holidays.addMany', { n: good.length })}
      disabled={good.length === 0 || good.length < lines.length}
      go={() => send(good)}
    >
      <Labelled label={t('holidays.lines')}>
        {tied => <TextArea {...tied} rows={8} value={pasted} onChange={({ target }) => setPasted(target.value)} />}
      </Labelled>
      {lines.length > 0 && <LinePreview lines={lines} />}
    </Frame>
  )
}
