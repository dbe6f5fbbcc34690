namespace Wire

open System
open System.Runtime.CompilerServices

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
        FSharpFactory.Instance.AddTo options
