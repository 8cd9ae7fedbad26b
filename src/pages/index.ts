export { PERSONAL_ACTIONS } from './audit-actions.js';
export { assetFile } from './assets/assets.js';
export { pagePathOf } from './frame/addresses.js';
export { Link } from './frame/link.js';
export { CellField } from './forms/cell-field.js';
export { ChoiceField } from './forms/choice-field.js';
export {
  CheckboxField,
  FileField,
  HiddenField,
  HiddenFields,
  SelectField,
  TextArea,
  TextField,
} from './forms/fields.js';
export { EnterButton, FilterForm, Form, SubmitButton } from './forms/form.js';
export { FormReader, type FormReading, plainAmount } from './forms/form-reader.service.js';
export { type FormState, NEW_FORM, type RefusedForm, type ShownForm, typedIn } from './forms/form-state.js';
export { SentForm } from './forms/sent-form.js';
export { HomeParts, type Task } from './home-parts.js';
export { Navigation } from './navigation.js';
export { goTo, type PageAnswer, showPage } from './page-answer.js';
export { PAGE_HEADERS } from './page-headers.js';
export { PageRenderer } from './page-renderer.service.js';
export { PagesModule } from './pages.module.js';
export { PagesUnder } from './pages-under.js';
export { RenderPages } from './render-pages.interceptor.js';
export { Amount, amountInWords, groupedAmount, roundedAmount } from './parts/amount.js';
export { type Bar, BarChart } from './parts/bar-chart.js';
export { Confirmation } from './parts/confirmation.js';
export { groupedCount } from './parts/count.js';
export { Day, displayDay, Moment } from './parts/day.js';
export { ListCount, type ShownRows, shownRows } from './parts/list-count.js';
export { MonthLinks } from './parts/month-links.js';
export { Pagination, queryOf } from './parts/pagination.js';
export { ProgressOfWork } from './parts/progress-of-work.js';
export { PrintButton } from './parts/print-button.js';
export { RowTick, TickAllButton } from './parts/row-tick.js';
export { type Column, EmptyState, Facts, Table, WideTable } from './parts/table.js';
export { testSystemHtml } from './frame/test-system.js';
export { type Names, ShownNames } from './shown-names.js';
export { usePage } from './frame/page-context.js';
