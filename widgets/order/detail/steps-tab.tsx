import { useRead } from '../../../core/client/providers.tsx'
import { orderBrief } from '../../../core/contract/order/order-brief.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { StepLine } from '../../shared/step-line.tsx'

/** One line of time, from the application to the last thing that happened. */
export const StepsTab = ({ orderNo }: { orderNo: string }) => (
  <Loaded read={useRead(orderBrief.steps, { orderNo })}>
    {({ list }) => (
      <div className="mk-card">
        <StepLine steps={list} />
      </div>
    )}
  </Loaded>
)
