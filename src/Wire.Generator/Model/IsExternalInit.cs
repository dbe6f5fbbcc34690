namespace System.Runtime.CompilerServices;

/// <summary>A mark that the compiler asks for where a record is immutable, and that this framework does not have.</summary>
internal static class IsExternalInit;
