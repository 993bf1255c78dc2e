import { useState } from 'react'
import { fieldErrors } from '../../../core/client/errors.ts'
import { followResults } from '../../../core/contract/audit/decisions.ts'
import { auditReview } from '../../../core/contract/audit/review.ts'
import { codes } from '../../../core/contract/codes.ts'
import type { ValueOf } from '../../../core/contract/fields.ts'
import { useText } from '../../../core/element/i18n.ts'
import { ConfirmAnyway } from '../../../core/engine/form/confirm-anyway.tsx'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import { Button, TextField } from '../../../core/ui/basics.ts'
import { useKept } from '../../../core/ui/kept.ts'
import { useUnsaved } from '../../../core/ui/unsaved.ts'
import { Pick, ProblemText } from './field.tsx'
import { useWork } from './work.ts'

type Result = ValueOf<typeof followResults>

/** Writes down the result of a call. */
export const CallForm = ({ contactNo, done }: { contactNo: string | undefined; done: (result: Result) => void }) => {
  const t = useText()
  const { send, busy, question, forget } = useCommand()
  const { lease, lose, reload } = useWork()
  const form = `call/${lease.orderNo}/${contactNo ?? ''}`
  const [result, setResult] = useKept<Result | undefined>(`${form}/result`, undefined)
  const [remark, setRemark] = useKept(`${form}/remark`, '')
  const [problem, setProblem] = useState<string>()
  useUnsaved(remark !== '')
  const save = async () => {
    if (!result) return setProblem(t('validation.infoComplete'))
    const followRemark = remark.trim()
    const input = {
      ...lease,
      followResult: result,
      ...(contactNo ? { contactNo } : {}),
      ...(followRemark ? { followRemark } : {}),
    }
    const outcome = await send(auditReview.followSave, input, { ids: [lease.orderNo] })
    if (outcome.is === 'done') {
      reload()
      done(result)
    }
    if (outcome.is !== 'refused' || lose(outcome.error) || outcome.error.code === codes.needsConfirmation) return
    setProblem(Object.values(fieldErrors(outcome.error))[0] ?? outcome.error.message)
  }
  return (
    <>
      <div className="mk-person-form">
        <Pick
          options={followResults.values.map(value => ({ value, label: t(`dict.FOLLOW_RESULT.${value}`) }))}
          value={result}
          onChange={value => setResult(value as Result)}
          placeholder={t('audit.chooseResult')}
          label={t('fields.followResult')}
        />
        <TextField.Root
          value={remark}
          maxLength={200}
          placeholder={t('fields.followRemark')}
          aria-label={t('fields.followRemark')}
          onChange={event => setRemark(event.target.value)}
          onKeyDown={event => void (event.key === 'Enter' && !event.ctrlKey && save())}
        />
        <Button loading={busy} onClick={() => void save()}>
          {t('common.save')}
        </Button>
      </div>
      <ProblemText text={problem} />
      {question && (
        <ConfirmAnyway title={t('common.save')} words={question} busy={busy} go={() => void save()} cancel={forget} />
      )}
    </>
  )
}
