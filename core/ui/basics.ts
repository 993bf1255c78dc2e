export {
  Badge,
  Button,
  Callout,
  Checkbox,
  Flex,
  IconButton,
  Skeleton,
  Text,
  TextField,
  Theme,
  VisuallyHidden,
} from '@radix-ui/themes'
