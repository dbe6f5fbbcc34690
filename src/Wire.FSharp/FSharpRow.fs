namespace Wire

open System.Collections.Generic
open System.Diagnostics.CodeAnalysis
open System.Runtime.CompilerServices
open Wire.Runtime
open Wire.SerializerFactories

/// <summary>
/// Makes the rows of <see cref="T:Wire.WireTypes"/> for what is particular to F#, as <see cref="T:Wire.WireRow"/> makes the others: each
/// lets the compiler of a native program see what Wire makes of a type, and means nothing elsewhere. Thread-safe.
/// </summary>
[<AbstractClass; Sealed>]
type FSharpRow =

    /// <summary>Makes the row of a union that is a class and has type arguments that are structs.</summary>
    /// <typeparam name="T">The union.</typeparam>
    static member Union<[<DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.All)>] 'T when 'T: not struct>() : WireTypeRow =
        ClosedTypes.Add(typeof<UnionFamily<'T>>, (fun _ -> box (UnionFamily<'T>())))
        WireRow.Class<'T>()

    /// <summary>Makes the row of a union that is a struct, such as a Result or ValueOption; also in arrays.</summary>
    /// <typeparam name="T">The union.</typeparam>
    static member StructUnion<[<DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.All)>] 'T
        when 'T: struct and 'T: (new: unit -> 'T) and 'T :> System.ValueType>() : WireTypeRow =
        ClosedTypes.Add(typeof<UnionFamily<'T>>, (fun _ -> box (UnionFamily<'T>())))
        WireRow.Struct<'T>()

    /// <summary>Makes the row of an option of a struct.</summary>
    /// <typeparam name="T">The type of what it holds.</typeparam>
    static member Option<'T>() : WireTypeRow =
        ClosedTypes.Add(typeof<OptionFamily<'T>>, (fun _ -> box (OptionFamily<'T>())))
        NativeCode.KeepValue<'T>()
        NativeCode.Row<'T option>()

    /// <summary>Makes the row of an F# list of structs.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    static member List<'T>() : WireTypeRow =
        ClosedTypes.Add(typeof<ListFamily<'T>>, (fun _ -> box (ListFamily<'T>())))
        NativeCode.KeepValue<'T>()
        NativeCode.Row<'T list>()

    /// <summary>Makes the row of an F# set of structs.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    static member Set<'T when 'T: comparison>() : WireTypeRow =
        ClosedTypes.Add(typeof<SetFamily<'T>>, (fun _ -> box (SetFamily<'T>())))
        NativeCode.KeepValue<'T>()
        NativeCode.Row<Set<'T>>()

    /// <summary>Makes the row of an F# map with keys or values that are structs.</summary>
    /// <typeparam name="K">The type of the keys.</typeparam>
    /// <typeparam name="V">The type of the values.</typeparam>
    static member Map<'K, 'V when 'K: comparison>() : WireTypeRow =
        ClosedTypes.Add(typeof<MapFamily<'K, 'V>>, (fun _ -> box (MapFamily<'K, 'V>())))
        NativeCode.KeepPair<'K, 'V>()
        NativeCode.KeepValue<KeyValuePair<'K, 'V>>()
        NativeCode.Row<Map<'K, 'V>>()

    /// <summary>Makes the row of a reference cell of a struct.</summary>
    /// <typeparam name="T">The type of what it holds.</typeparam>
    static member Ref<'T>() : WireTypeRow =
        ClosedTypes.Add(typeof<RefFamily<'T>>, (fun _ -> box (RefFamily<'T>())))
        NativeCode.KeepMembers<'T ref>()
        NativeCode.Row<'T ref>()

    /// Lets the compiler of native code see what serves all classes.
    static member internal KeepCommon() =
        if not RuntimeFeature.IsDynamicCodeSupported then
            FSharpRow.Union<obj>() |> ignore
            FSharpRow.Option<obj>() |> ignore
            FSharpRow.List<obj>() |> ignore
            FSharpRow.Set<string>() |> ignore
            FSharpRow.Map<string, obj>() |> ignore
            FSharpRow.Ref<obj>() |> ignore
