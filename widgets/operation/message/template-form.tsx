import { useRef, useState } from 'react'
import { errorsAt } from '../../../core/client/errors.ts'
import { useRead } from '../../../core/client/providers.tsx'
import type { InputOf, OutputOf } from '../../../core/contract/endpoint.ts'
import { type MessageTemplateRow, messageTemplates } from '../../../core/contract/operation/message-template.ts'
import { useText } from '../../../core/element/i18n.ts'
import { useSheet } from '../../../core/element/styles.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { messageOf, wrongIn } from '../../../core/engine/form/field-words.ts'
import { isStale, useCommand } from '../../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import type { Key } from '../../../core/i18n/index.ts'
import { Button, Callout, Flex, Text } from '../../../core/ui/basics.ts'
import { Choose } from '../../../core/ui/choose/choose.tsx'
import { useFirstWrong } from '../../../core/ui/first-wrong.ts'
import { Labelled } from '../../../core/ui/labelled.tsx'
import { TextArea } from '../../../core/ui/more.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import sheet from './message.css?sheet'
import { MeasuredPreview } from './phone-frame.tsx'

const { save, preview, nodes } = messageTemplates
const { shape } = save.input
type Answers = Partial<InputOf<typeof save>>
type Name = keyof typeof shape
type Nodes = OutputOf<typeof nodes>['list']
type FormProps = { first: Answers; title: Key; close: (changed?: boolean) => void }

const titled = ['email', 'app_push']

/** What is written, what is wrong with it, and its sending. */
const useWriting = ({ first, close }: Omit<FormProps, 'title'>) => {
  const t = useText()
  const { send, busy } = useCommand()
  const { form: box, seek } = useFirstWrong<HTMLFormElement>()
  const [answers, setAnswers] = useState<Answers>(first)
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const [notes, setNotes] = useState<readonly string[]>([])
  const put = (name: Name, value: unknown) => {
    setAnswers(now => ({ ...now, [name]: value }))
    setWrong(({ [name]: _, ...rest }) => rest)
  }
  const submit = async () => {
    setNotes([])
    const given = Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== undefined && value !== ''))
    const found = wrongIn(save.input, given)
    if (Object.keys(found).length) {
      const said = Object.entries(found).map(([name, one]) => [name, messageOf(t, one, shape[name as Name])])
      setWrong(Object.fromEntries(said))
      return seek()
    }
    const outcome = await send(save, given as InputOf<typeof save>, { done: () => t('messageTemplate.saved') })
    if (outcome.is === 'done') close(true)
    if (outcome.is === 'unanswered') setNotes([t('common.noAnswer')])
    if (outcome.is !== 'refused') return
    const { fields, rest } = errorsAt(outcome.error, Object.keys(shape))
    setWrong(fields)
    setNotes(isStale(outcome.error) ? [outcome.error.message, t('common.recordChanged')] : rest)
    seek()
  }
  return { box, answers, wrong, notes, busy, put, submit }
}
type Writing = ReturnType<typeof useWriting>

const One = ({ name, writing, optional }: { name: Name; writing: Writing; optional?: true }) => (
  <Field
    name={name}
    schema={shape[name]}
    value={writing.answers[name]}
    optional={optional ?? false}
    {...(writing.wrong[name] ? { error: writing.wrong[name] } : {})}
    onChange={value => writing.put(name, value)}
  />
)

type Choice = { name: Name; options: { value: string; label: string }[]; writing: Writing }

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

/** The text, with a button for each value that it may name. */
const Content = ({ writing, values }: { writing: Writing; values: readonly string[] }) => {
  const t = useText()
  const area = useRef<HTMLTextAreaElement>(null)
  const { answers, wrong, put } = writing
  const insert = (name: string) => {
    const text = answers.content ?? ''
    const [from, to] = [area.current?.selectionStart ?? text.length, area.current?.selectionEnd ?? text.length]
    put('content', `${text.slice(0, from)}{${name}}${text.slice(to)}`)
    area.current?.focus()
  }
  return (
    <>
      <Labelled label={t('fields.content')} error={wrong.content ?? null}>
        {tied => (
          <TextArea
            {...tied}
            ref={area}
            rows={6}
            lang={answers.language}
            value={answers.content ?? ''}
            onChange={event => put('content', event.target.value)}
          />
        )}
      </Labelled>
      <Flex gap="2" wrap="wrap" role="group" aria-label={t('messageTemplate.values')}>
        {values.map(name => (
          <Button key={name} type="button" size="1" variant="soft" color="gray" onClick={() => insert(name)}>
            {t(`messageValue.${name}` as Key)}
          </Button>
        ))}
      </Flex>
    </>
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
      <One name="templateName" writing={writing} />
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
      <One name="contactType" writing={writing} />
      <One name="language" writing={writing} />
      <One name="appCode" writing={writing} optional />
      <One name="merchantNo" writing={writing} optional />
      {titled.includes(String(answers.channelType)) && <One name="title" writing={writing} />}
      <Content writing={writing} values={node?.values ?? []} />
    </>
  )
}

const Form = ({ first, title, close }: FormProps) => {
  useSheet(sheet)
  const t = useText()
  const writing = useWriting({ first, close })
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
        {notes.map(note => (
          <Callout.Root key={note} color="amber" size="1" role="alert">
            <Callout.Text>{note}</Callout.Text>
          </Callout.Root>
        ))}
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
