namespace Wire

open System
open System.Diagnostics.CodeAnalysis
open System.Runtime.CompilerServices
open Wire.Runtime

// Closures are classes of their own, to which no narrower attribute would apply.
[<assembly: UnconditionalSuppressMessage("Trimming", "IL2026", Scope = "module", Justification = TrimmingAdvice.Inside)>]
[<assembly: UnconditionalSuppressMessage("Trimming", "IL2055", Scope = "module", Justification = TrimmingAdvice.Inside)>]
[<assembly: UnconditionalSuppressMessage("Trimming", "IL2060", Scope = "module", Justification = TrimmingAdvice.Inside)>]
[<assembly: UnconditionalSuppressMessage("Trimming", "IL2067", Scope = "module", Justification = TrimmingAdvice.Inside)>]
[<assembly: UnconditionalSuppressMessage("Trimming", "IL2070", Scope = "module", Justification = TrimmingAdvice.Inside)>]
[<assembly: UnconditionalSuppressMessage("Trimming", "IL2072", Scope = "module", Justification = TrimmingAdvice.Inside)>]
[<assembly: UnconditionalSuppressMessage("Trimming", "IL2075", Scope = "module", Justification = TrimmingAdvice.Inside)>]
[<assembly: UnconditionalSuppressMessage("Trimming", "IL2080", Scope = "module", Justification = TrimmingAdvice.Inside)>]
[<assembly: UnconditionalSuppressMessage("AOT", "IL3050", Scope = "module", Justification = TrimmingAdvice.Inside)>]
do ()

/// <summary>Teaches a serializer the types of F#.</summary>
[<Extension; AbstractClass; Sealed>]
type FSharpOptions =

    /// <summary>
    /// Adds what is particular to F#: unions, options, lists, maps, sets, sequences and references. Value serializers
    /// and factories that the options have already are asked first. Records, anonymous records and tuples need nothing.
    /// </summary>
    /// <param name="options">The options, which are not changed.</param>
    /// <returns>The options with F# types; the same when they have them already.</returns>
    /// <exception cref="T:System.ArgumentNullException"><paramref name="options"/> is null.</exception>
    [<Extension>]
    static member UseFSharp(options: SerializerOptions) : SerializerOptions =
        ArgumentNullException.ThrowIfNull options
        FSharpRow.KeepCommon()
        FSharpFactory.Instance.AddTo options
