export { CSV_FILE, FileBodyGuard } from './file-body.guard.js';
export { FileOfRequest, MAX_FILE_MEGABYTES, type SentFile, TakesFile, takesFile } from './sent-file.js';
