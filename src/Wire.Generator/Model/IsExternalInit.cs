namespace System.Runtime.CompilerServices;

/// <summary>What the compiler asks for where a record is immutable, and this framework does not have.</summary>
internal static class IsExternalInit;
