import { useRead } from '../../../core/client/providers.tsx'
import type { InputOf } from '../../../core/contract/endpoint.ts'
import { smsTemplates } from '../../../core/contract/marketing/sms-template.ts'
import { useText } from '../../../core/element/i18n.ts'
import { useSheet } from '../../../core/element/styles.ts'
import type { Key } from '../../../core/i18n/index.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import { Button, Text } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { TextWithValues, useWriting, WritingNotes, Written } from '../../shared/message/writing.tsx'
import { InLanguages } from './in-languages.tsx'
import sheet from './template.css?sheet'

const { save, measure, variables } = smsTemplates
type Answers = Partial<InputOf<typeof save>>
type FormProps = { first: Answers; title: Key; close: (changed?: boolean) => void }

/** The texts as customers will read them, as they are written. */
const Live = ({ merchantNo, contentEn = '', contentSw = '', contentZh }: Answers) => {
  const t = useText()
  const input = { contentEn, contentSw, ...(contentZh ? { contentZh } : {}), ...(merchantNo ? { merchantNo } : {}) }
  const { data } = useRead(measure, input, { background: true })
  if (!data)
    return (
      <Text size="2" color="gray">
        {t('common.loading')}
      </Text>
    )
  return <InLanguages list={data.list} />
}

const languages = [
  ['contentEn', 'en'],
  ['contentSw', 'sw'],
  ['contentZh', 'zh'],
] as const

/** A text in its languages side by side, with how a phone shows each of them. */
export const Form = ({ first, title, close }: FormProps) => {
  useSheet(sheet)
  const t = useText()
  const writing = useWriting({ save, first, saved: t('smsTemplate.saved'), close })
  const { data } = useRead(variables, {}, { background: true })
  const { box, notes, busy, submit, answers } = writing
  const values = (data?.list ?? []).map(({ valueName }) => ({
    name: valueName,
    label: dictText(t, 'MARKETING_VALUE', valueName),
  }))
  return (
    <ModalDialog
      open
      wide
      onClose={() => close()}
      title={t(title)}
      description={t('smsTemplate.writeHint')}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} onClick={() => void submit()}>
            {t('smsTemplate.save')}
          </Button>
        </>
      }
    >
      <form ref={box} noValidate onSubmit={event => event.preventDefault()}>
        <div className="mk-form">
          <Written name="templateName" writing={writing} />
          <Written name="merchantNo" writing={writing} />
        </div>
        <div className="mk-sms-languages">
          {languages.map(([name, lang]) => (
            <div key={name} className="mk-form">
              <TextWithValues
                name={name}
                writing={writing}
                lang={lang}
                values={values}
                {...(lang === 'zh' ? { optional: true as const } : {})}
              />
            </div>
          ))}
        </div>
        <Live {...answers} />
        <WritingNotes notes={notes} />
      </form>
    </ModalDialog>
  )
}
