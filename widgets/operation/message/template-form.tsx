import { useRead } from '../../../core/client/providers.tsx'
import type { InputOf, OutputOf } from '../../../core/contract/endpoint.ts'
import { type MessageTemplateRow, messageTemplates } from '../../../core/contract/operation/message-template.ts'
import { useText } from '../../../core/element/i18n.ts'
import { useSheet } from '../../../core/element/styles.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import type { Key } from '../../../core/i18n/index.ts'
import { Button, Text } from '../../../core/ui/basics.ts'
import { Choose } from '../../../core/ui/choose/choose.tsx'
import { Labelled } from '../../../core/ui/labelled.tsx'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { MeasuredPreview } from '../../shared/message/phone-frame.tsx'
import { TextWithValues, useWriting, type Writing, WritingNotes, Written } from '../../shared/message/writing.tsx'
import sheet from './message.css?sheet'

const { save, preview, nodes } = messageTemplates
type Answers = Partial<InputOf<typeof save>>
type Nodes = OutputOf<typeof nodes>['list']
type FormProps = { first: Answers; title: Key; close: (changed?: boolean) => void }

const titled = ['email', 'app_push']

type Choice = { name: string; options: { value: string; label: string }[]; writing: Writing }

const Chosen = ({ name, options, writing }: Choice) => {
  const t = useText()
  const { answers, wrong, put } = writing
  const label = t(`fields.${name}` as Key)
  return (
    <Labelled label={label} error={wrong[name] ?? null}>
      {tied => (
        <Choose
          tied={tied}
          label={label}
          single
          options={options}
          value={answers[name] === undefined ? [] : [String(answers[name])]}
          onChange={([next]) => put(name, next)}
          words={{
            search: t('common.search'),
            none: t('common.noMatch'),
            clear: t('common.clear'),
            choose: t('common.choose'),
          }}
        />
      )}
    </Labelled>
  )
}

/** How the text looks and what it takes, as it is written. */
const Live = ({ answers }: { answers: Answers }) => {
  const t = useText()
  const { nodeNo, channelType, contactType, language, title, content = '' } = answers
  const isReady = nodeNo && channelType && contactType && language
  const input = isReady ? { nodeNo, channelType, contactType, language, content, ...(title ? { title } : {}) } : null
  const { data } = useRead(preview, input as InputOf<typeof preview> | null, { background: true })
  if (!isReady || !data)
    return (
      <Text size="2" color="gray">
        {t('messageTemplate.previewHint')}
      </Text>
    )
  return <MeasuredPreview of={data} from={answers.appCode ?? t('messageTemplate.sender')} />
}

const Places = ({ writing, list }: { writing: Writing; list: Nodes }) => {
  const t = useText()
  const { answers } = writing
  const node = list.find(one => one.nodeNo === answers.nodeNo)
  return (
    <>
      <Written name="templateName" writing={writing} />
      <Chosen
        name="nodeNo"
        writing={writing}
        options={list.map(({ nodeNo, pointCode, nodeName }) => ({
          value: nodeNo,
          label: `${nodeName} · ${pointCode}`,
        }))}
      />
      <Chosen
        name="channelType"
        writing={writing}
        options={(node?.channelTypes ?? []).map(value => ({ value, label: t(`dict.CHANNEL_TYPE.${value}` as Key) }))}
      />
      <Written name="contactType" writing={writing} />
      <Written name="language" writing={writing} />
      <Written name="appCode" writing={writing} optional />
      <Written name="merchantNo" writing={writing} optional />
      {titled.includes(String(answers.channelType)) && <Written name="title" writing={writing} />}
      <TextWithValues
        name="content"
        writing={writing}
        lang={typeof answers.language === 'string' ? answers.language : undefined}
        values={(node?.values ?? []).map(name => ({ name, label: t(`messageValue.${name}` as Key) }))}
      />
    </>
  )
}

const Form = ({ first, title, close }: FormProps) => {
  useSheet(sheet)
  const t = useText()
  const writing = useWriting({ save, first, saved: t('messageTemplate.saved'), close })
  const { data } = useRead(nodes, {}, { background: true })
  const { box, notes, busy, submit, answers } = writing
  return (
    <ModalDialog
      open
      wide
      onClose={() => close()}
      title={t(title)}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} onClick={() => void submit()}>
            {t('messageTemplate.save')}
          </Button>
        </>
      }
    >
      <form ref={box} className="mk-template-form" noValidate onSubmit={event => event.preventDefault()}>
        <div className="mk-form">
          <Places writing={writing} list={data?.list ?? []} />
        </div>
        <Live answers={answers} />
        <WritingNotes notes={notes} />
      </form>
    </ModalDialog>
  )
}

/** Writes a new text. */
export const NewTemplate = ({ close }: { close: (changed?: boolean) => void }) => (
  <Form first={{ contactType: 'self' }} title="actions.newTemplate" close={close} />
)

/** Changes a text that is not in force: its next version. */
export const EditTemplate = ({ rows: [row], close }: DialogProps<MessageTemplateRow>) => {
  const { templateNo, version, templateName, nodeNo, channelType, contactType, language, content } = row
  const { title, appCode, merchantNo } = row
  const first: Answers = {
    ...{ templateNo, version, templateName, nodeNo, channelType, contactType, language, content },
    ...(title ? { title } : {}),
    ...(appCode ? { appCode } : {}),
    ...(merchantNo ? { merchantNo } : {}),
  }
  return <Form first={first} title="actions.editTemplate" close={close} />
}
