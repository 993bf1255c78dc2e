import { useRef, useState } from 'react'
import { newKey } from '../../../core/client/call.ts'
import { CallError, fieldErrors } from '../../../core/client/errors.ts'
import { audit } from '../../../core/contract/audit.ts'
import { dictionaries } from '../../../core/contract/dictionaries.ts'
import { useText } from '../../../core/element/i18n.ts'
import { useAct } from '../../../core/engine/use-act.ts'
import { Button, TextField } from '../../../core/ui/basics.ts'
import { Pick, ProblemText } from './field.tsx'
import { useWork } from './work.ts'

type Result = (typeof dictionaries.FOLLOW_RESULT)[number]

/** Writes down what came of a call. */
export const CallForm = ({ contactNo, done }: { contactNo: string | undefined; done: (result: Result) => void }) => {
  const t = useText()
  const act = useAct()
  const { lease, lose, reload } = useWork()
  const key = useRef(newKey())
  const [result, setResult] = useState<Result>()
  const [remark, setRemark] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    if (!result) return setProblem(t('validation.infoComplete'))
    setBusy(true)
    const followRemark = remark.trim()
    try {
      const input = {
        ...lease,
        followResult: result,
        ...(contactNo ? { contactNo } : {}),
        ...(followRemark ? { followRemark } : {}),
      }
      await act.send(audit.followSave, input, { key: key.current, ids: [lease.orderNo] })
      reload()
      done(result)
    } catch (error) {
      if (!(error instanceof CallError)) return
      key.current = newKey()
      if (!lose(error)) setProblem(fieldErrors(error)[0]?.msg ?? error.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <div className="mk-person-form">
        <Pick
          options={dictionaries.FOLLOW_RESULT.map(value => ({ value, label: t(`dict.FOLLOW_RESULT.${value}`) }))}
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
    </>
  )
}
