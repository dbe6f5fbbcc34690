// Locals on the hot paths are written before they are read; the runtime need not clear them first.
[module: System.Runtime.CompilerServices.SkipLocalsInit]
