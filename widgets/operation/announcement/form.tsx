import { lazy, Suspense, useState } from 'react'
import { errorsAt } from '../../../core/client/errors.ts'
import { useRead } from '../../../core/client/providers.tsx'
import type { InputOf } from '../../../core/contract/endpoint.ts'
import {
  type AnnouncementDetail,
  type AnnouncementRecord,
  announcementManage,
  maxTitle,
} from '../../../core/contract/operation/announcement-manage.ts'
import { useText } from '../../../core/element/i18n.ts'
import { useSheet } from '../../../core/element/styles.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { isStale, useCommand } from '../../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { Button, Callout, Skeleton, Text, TextField } from '../../../core/ui/basics.ts'
import { useFirstWrong } from '../../../core/ui/first-wrong.ts'
import { Labelled } from '../../../core/ui/labelled.tsx'
import { SegmentedControl } from '../../../core/ui/more.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import sheet from './announcement.css?sheet'
import { ownNames, type WrittenIn, writtenIn } from './preview.tsx'

const RichTextEditor = lazy(async () => ({
  default: (await import('../../../core/engine/form/rich-text/rich-text-editor.tsx')).RichTextEditor,
}))

const { save } = announcementManage
const { shape } = save.input
type Answers = Partial<InputOf<typeof save>>
type Name = keyof typeof shape
type FormProps = {
  /** The draft that is changed, or what a new one begins with. */
  first: Answers
  title: string
  close: (changed?: boolean) => void
}

const audienceOf = {
  staff: ['audienceRoles', 'audienceDepts', 'audienceMerchants', 'needRead'],
  app: ['audienceApps'],
} as const

/** How many people the audience reaches as things stand. */
const Reach = ({ answers }: { answers: Answers }) => {
  const t = useText()
  const { audienceType = 'staff', audienceRoles, audienceDepts, audienceMerchants } = answers
  const staff = audienceType === 'staff'
  const input = staff ? { audienceType, audienceRoles, audienceDepts, audienceMerchants } : null
  const { data } = useRead(announcementManage.reach, input, { background: true })
  return (
    <Text size="2" role="status">
      {staff ? data && t('announcement.reachStaff', { n: data.count }) : t('announcement.reachApps')}
    </Text>
  )
}

/** What is written, what is wrong with it, and its sending. */
const useWriting = ({ first, close }: Omit<FormProps, 'title'>) => {
  const t = useText()
  const { send, busy } = useCommand()
  const { form: box, seek } = useFirstWrong<HTMLFormElement>()
  const [answers, setAnswers] = useState(first)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [notes, setNotes] = useState<readonly string[]>([])
  const type = answers.audienceType ?? 'staff'
  const put = (name: Name, value: unknown) => {
    setAnswers(now => ({ ...now, [name]: value }))
    setErrors(({ [name]: _, ...rest }) => rest)
  }
  const submit = async () => {
    setNotes([])
    const given = save.input.safeParse({ ...answers, audienceType: type })
    if (!given.success) {
      const said = given.error.issues.map(({ path: [name], message }) => [
        String(name),
        t.maybe(message) ?? t('validation.infoComplete'),
      ])
      setErrors(Object.fromEntries(said.reverse()))
      return seek()
    }
    const outcome = await send(save, given.data, { done: () => t('announcement.saved') })
    if (outcome.is === 'done') close(true)
    if (outcome.is === 'unanswered') setNotes([t('common.noAnswer')])
    if (outcome.is !== 'refused') return
    const { fields, rest } = errorsAt(outcome.error, Object.keys(shape))
    setErrors(fields)
    setNotes(isStale(outcome.error) ? [outcome.error.message, t('common.recordChanged')] : rest)
    seek()
  }
  return { box, answers, type, errors, notes, busy, put, submit }
}
type Writing = ReturnType<typeof useWriting>

/** Title and text, in one language after the other. */
const Texts = ({ answers, errors, put }: Writing) => {
  const t = useText()
  const [language, setLanguage] = useState<WrittenIn>(t.language as WrittenIn)
  const write = (name: 'titles' | 'contents', text: string | undefined) =>
    put(name, { ...answers[name], [language]: text })
  return (
    <div className="mk-form">
      <SegmentedControl.Root
        size="1"
        value={language}
        aria-label={t('announcement.language')}
        onValueChange={next => setLanguage(next as WrittenIn)}
      >
        {writtenIn.map(one => (
          <SegmentedControl.Item key={one} value={one}>
            {ownNames[one]}
            {answers.contents?.[one] ? ' ✓' : ''}
          </SegmentedControl.Item>
        ))}
      </SegmentedControl.Root>
      <Labelled label={t('fields.titles')} error={errors.titles ?? null}>
        {tied => (
          <TextField.Root
            {...tied}
            key={language}
            lang={language}
            maxLength={maxTitle}
            value={answers.titles?.[language] ?? ''}
            onChange={event => write('titles', event.target.value || undefined)}
          />
        )}
      </Labelled>
      <Labelled label={t('fields.contents')} hint={t('announcement.languageHint')} error={errors.contents ?? null}>
        {tied => (
          <Suspense fallback={<Skeleton height="230px" />}>
            <RichTextEditor
              key={language}
              tied={tied}
              lang={language}
              value={answers.contents?.[language]}
              onChange={html => write('contents', html)}
            />
          </Suspense>
        )}
      </Labelled>
    </div>
  )
}

const Asked = ({ name, hint, answers, errors, put }: Writing & { name: Name; hint?: string }) => (
  <div>
    <Field
      name={name}
      schema={shape[name]}
      value={answers[name]}
      optional={!['startTime', 'audienceApps', 'needRead', 'pinned'].includes(name)}
      {...(errors[name] ? { error: errors[name] } : {})}
      onChange={value => put(name, value)}
    />
    {hint && (
      <Text as="p" size="1" color="gray">
        {hint}
      </Text>
    )}
  </div>
)

/** Who reads it, from when until when. */
const Readers = (writing: Writing) => {
  const { answers, type, put } = writing
  const t = useText()
  return (
    <div className="mk-form">
      <SegmentedControl.Root
        size="1"
        value={type}
        aria-label={t('fields.audienceType')}
        onValueChange={next => put('audienceType', next)}
      >
        {(['staff', 'app'] as const).map(one => (
          <SegmentedControl.Item key={one} value={one}>
            {t(`dict.AUDIENCE_TYPE.${one}`)}
          </SegmentedControl.Item>
        ))}
      </SegmentedControl.Root>
      {type === 'staff' && (
        <Text size="1" color="gray">
          {t('announcement.audienceHint')}
        </Text>
      )}
      {audienceOf[type].map(name => (
        <Asked
          key={name}
          {...writing}
          name={name}
          {...(name === 'needRead' ? { hint: t('announcement.needReadHint') } : {})}
        />
      ))}
      <Reach answers={answers} />
      <Asked {...writing} name="pinned" />
      <Asked {...writing} name="startTime" hint={t('announcement.startHint')} />
      <Asked {...writing} name="endTime" />
    </div>
  )
}

const Form = ({ first, title, close }: FormProps) => {
  useSheet(sheet)
  const t = useText()
  const writing = useWriting({ first, close })
  const { box, notes, busy, submit } = writing
  return (
    <ModalDialog
      open
      wide
      onClose={() => close()}
      title={title}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} onClick={() => void submit()}>
            {t('announcement.save')}
          </Button>
        </>
      }
    >
      <form ref={box} className="mk-announcement-form" noValidate onSubmit={event => event.preventDefault()}>
        <Texts {...writing} />
        <Readers {...writing} />
        {notes.map(note => (
          <Callout.Root key={note} color="amber" size="1" role="alert">
            <Callout.Text>{note}</Callout.Text>
          </Callout.Root>
        ))}
      </form>
    </ModalDialog>
  )
}

const some = (texts: AnnouncementDetail['titles']) =>
  Object.fromEntries(writtenIn.flatMap(one => (texts[one] ? [[one, texts[one]]] : [])))

/** What a form begins with of an announcement that there is. */
const answersOf = (of: AnnouncementDetail): Answers => ({
  titles: some(of.titles),
  contents: some(of.contents),
  audienceType: of.audienceType,
  audienceRoles: of.audienceRoles,
  audienceDepts: of.audienceDepts,
  audienceMerchants: of.audienceMerchants,
  audienceApps: of.audienceApps,
  needRead: of.needRead,
  pinned: of.pinned,
})

const now = () => new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString()

/** Writes a new draft. */
export const NewDialog = ({ close }: { close: (changed?: boolean) => void }) => {
  const t = useText()
  return <Form first={{ startTime: now() }} title={t('actions.newAnnouncement')} close={close} />
}

/** Changes a draft. */
export const EditDialog = ({ rows: [row], close }: DialogProps<AnnouncementRecord>) => {
  const t = useText()
  const { announcementNo } = row
  const read = useRead(announcementManage.detail, { announcementNo })
  const began = ({ version, startTime, endTime }: AnnouncementDetail) => ({
    announcementNo,
    version,
    startTime,
    ...(endTime ? { endTime } : {}),
  })
  return (
    <Loaded read={read} skeleton={null}>
      {of => <Form first={{ ...answersOf(of), ...began(of) }} title={t('announcement.edit')} close={close} />}
    </Loaded>
  )
}

/** Writes a new draft that begins with what another announcement says. */
export const CopyDialog = ({ rows: [row], close }: DialogProps<AnnouncementRecord>) => {
  const t = useText()
  const read = useRead(announcementManage.detail, { announcementNo: row.announcementNo })
  return (
    <Loaded read={read} skeleton={null}>
      {of => <Form first={{ ...answersOf(of), startTime: now() }} title={t('announcement.copy')} close={close} />}
    </Loaded>
  )
}
