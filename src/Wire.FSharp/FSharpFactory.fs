namespace Wire

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open Microsoft.FSharp.Core.CompilerServices
open Wire.Runtime
open Wire.Types
open Wire.ValueSerializers
open Wire.ValueSerializers.Conversion
open Wire.ValueSerializers.Collections

/// What makes the value serializers of one kind of types: a class, of which a row of native code is an object.
type internal IFamily =
    abstract Create: registry: TypeRegistry -> ValueSerializer

module internal Slot =
    let create<'T> (registry: TypeRegistry) =
        registry.CreateSlot typeof<'T> :?> ValueSerializer<'T>

[<Sealed>]
type internal OptionFamily<'T>() =
    interface IFamily with
        // The null of None stands in front, so that a value is written like its content.
        member _.Create registry =
            ConvertedSerializer<'T option, 'T>(
                Slot.create<'T> registry,
                (fun some -> some.Value),
                (fun value -> Some value),
                nullIsValue = true
            )

[<Sealed>]
type internal ListFamily<'T>() =
    interface IFamily with
        member _.Create registry =
            BuiltSerializer<'T list, 'T, ListItems<'T>, ListBuilder<'T>, ListKind<'T>>(Slot.create<'T> registry)

[<Sealed>]
type internal SetFamily<'T when 'T: comparison>() =
    interface IFamily with
        member _.Create registry =
            BuiltSerializer<Set<'T>, 'T, IEnumerator<'T>, Growing<Set<'T>>, SetKind<'T>>(Slot.create<'T> registry)

[<Sealed>]
type internal MapFamily<'K, 'V when 'K: comparison>() =
    interface IFamily with
        member _.Create registry =
            // None is a key like any other, and null.
            let pair =
                PairSerializer<'K, 'V>(Slot.create<'K> registry, Slot.create<'V> registry, allowsNull = true)

            BuiltSerializer<
                Map<'K, 'V>,
                KeyValuePair<'K, 'V>,
                IEnumerator<KeyValuePair<'K, 'V>>,
                Growing<Map<'K, 'V>>,
                MapKind<'K, 'V>
             >(
                pair
            )

[<Sealed>]
type internal RefFamily<'T>() =
    interface IFamily with
        member _.Create registry = ComplexSerializer<'T ref> registry

[<Sealed>]
type internal UnionFamily<'T>() =
    interface IFamily with
        member _.Create registry =
            UnionSerializer<'T>(FSharpUnions.define typeof<'T>, registry)

/// Makes the value serializers of what is particular to F#. Records, anonymous records and tuples are complex types like others.
[<Sealed>]
type internal FSharpFactory private () =
    inherit LibraryFactory()

    // The definitions, what makes their value serializers, and their rows.
    static let families: (Type * Type * string)[] =
        [| typedefof<_ option>, typedefof<OptionFamily<_>>, "Option"
           typedefof<_ list>, typedefof<ListFamily<_>>, "List"
           typedefof<Set<_>>, typedefof<SetFamily<_>>, "Set"
           typedefof<Map<_, _>>, typedefof<MapFamily<_, _>>, "Map"
           typedefof<_ ref>, typedefof<RefFamily<_>>, "Ref" |]

    static let definitions =
        [| typeof<unit>
           yield! families |> Array.map (fun (definition, _, _) -> definition)
           typedefof<_ voption>
           typedefof<Result<_, _>>
           typedefof<Choice<_, _>>
           typedefof<Choice<_, _, _>>
           typedefof<Choice<_, _, _, _>>
           typedefof<Choice<_, _, _, _, _>>
           typedefof<Choice<_, _, _, _, _, _>>
           typedefof<Choice<_, _, _, _, _, _, _>> |]

    static let definitionOf (t: Type) =
        if t.IsConstructedGenericType then t.GetGenericTypeDefinition() else t

    static let familyOf (t: Type) =
        let definition = definitionOf t
        families |> Array.tryFind (fun (known, _, _) -> known = definition)

    static let isUnion (t: Type) =
        FSharpUnions.isUnion t && (familyOf t).IsNone

    static let make (t: Type) (row: Type -> string) (family: Type) (arguments: Type[]) (registry: TypeRegistry) =
        FSharpUnions.make t row (fun () -> (ClosedTypes.Create(family, arguments) :?> IFamily).Create registry)

    // A sequence expression is a class of the program's own: only what it gives is data.
    static let rec itemOfSequence (t: Type) =
        if isNull t then None
        elif definitionOf t = typedefof<GeneratedSequenceBase<_>> then Some(t.GetGenericArguments()[0])
        else itemOfSequence t.BaseType

    static member val Instance = FSharpFactory()

    override _.Definitions = definitions

    override _.Create(t: Type, registry: TypeRegistry) : ValueSerializer =
        match familyOf t with
        | _ when t.ContainsGenericParameters -> null
        // What there is of it is null, which is written without asking.
        | _ when t = typeof<unit> -> SingletonSerializer<unit>((), null)
        | Some(_, family, kind) ->
            let arguments = t.GetGenericArguments()
            make t (fun _ -> FSharpNames.rowOf kind arguments) family arguments registry
        | None when isUnion t && FSharpUnions.ofCase t = t ->
            make t FSharpNames.rowOfUnion typedefof<UnionFamily<_>> [| t |] registry
        | None -> null

    override _.WrittenAs(t: Type) =
        if isUnion t then
            FSharpUnions.ofCase t
        else
            match itemOfSequence t.BaseType with
            | Some item -> ClosedTypes.Close(typedefof<List<_>>, item)
            | None -> t

    override _.IsUnion(t: Type) = isUnion t && FSharpUnions.ofCase t = t

    override _.RefusalOf(t: Type) =
        if t.Assembly = typeof<unit>.Assembly then
            "it belongs to F#, and is not among what Wire.FSharp knows. Give it a surrogate, in SerializerOptions.Surrogates, "
            + "or a ValueSerializer, on both sides."
        else
            null

    override _.DeclaredPartTypes(t: Type) =
        if Array.contains (definitionOf t) definitions then Seq.empty
        elif isUnion t then FSharpUnions.fieldTypes t
        else null
