namespace Wire

open System
open System.Collections
open System.Collections.Generic
open Microsoft.FSharp.Core.CompilerServices
open Wire.ValueSerializers.Collections
open Wire.ValueSerializers.Collections.Kinds

/// Goes through a list without an object of its own.
[<Struct; NoEquality; NoComparison>]
type internal ListItems<'T> =
    val mutable private rest: 'T list
    val mutable private current: 'T list

    new(items) = { rest = items; current = [] }

    interface IEnumerator<'T> with
        member this.Current: 'T = this.current.Head
        member this.Current: obj = box this.current.Head

        member this.MoveNext() =
            this.current <- this.rest

            if this.rest.IsEmpty then
                false
            else
                this.rest <- this.rest.Tail
                true

        member _.Reset() = raise (NotSupportedException())
        member _.Dispose() = ()

/// Puts cell after cell, so that nothing has to be kept until the last element is known.
[<Sealed>]
type internal ListBuilder<'T>() =
    let mutable cells = ListCollector<'T>()

    member _.Add item = cells.Add item
    member _.Close() = cells.Close()

/// A list: a sequence like any other, and not cells in cells.
[<Struct; NoEquality; NoComparison>]
type internal ListKind<'T> =
    interface IBuiltKind<'T list, 'T, ListItems<'T>, ListBuilder<'T>> with
        static member Create(_, _) = ListBuilder()
        static member Finish builder = builder.Close()

    interface ICollectionKind<'T list, 'T, ListItems<'T>, ListBuilder<'T>> with
        static member Enumerate(collection, count) =
            count <- collection.Length
            new ListItems<'T>(collection)

        static member Add(builder, item) =
            builder.Add item
            true

/// A collection that is made larger by making another one.
[<Sealed>]
type internal Growing<'TCollection>(empty: 'TCollection) =
    member val Value = empty with get, set

/// The order of sets and maps is that of F# comparison, and so the default one.
module internal Order =
    let write (writer: byref<WireWriter>) = writer.WriteByte 0uy

    let read (reader: byref<WireReader>) : obj =
        if reader.ReadByte() <> 0uy then
            raise (WireFormatException(WireFormatError.InvalidValue, "An F# set or map has its own comparer."))

        null

    // A payload can put null where no F# value is null, and then comparison fails in its own ways.
    let inline compared ([<InlineIfLambda>] add: unit -> bool) =
        try
            add ()
        with
        | :? NullReferenceException
        | :? InvalidCastException as e ->
            raise (WireFormatException(WireFormatError.InvalidValue, "The keys of an F# set or map cannot be compared.", e))

[<Struct; NoEquality; NoComparison>]
type internal SetKind<'T when 'T: comparison> =
    interface IBuiltKind<Set<'T>, 'T, IEnumerator<'T>, Growing<Set<'T>>> with
        static member Create(_, _) = Growing Set.empty
        static member Finish builder = builder.Value

    interface ICollectionKind<Set<'T>, 'T, IEnumerator<'T>, Growing<Set<'T>>> with
        static member HasComparer = true
        static member WriteComparer(writer, _) = Order.write &writer
        static member ReadComparer reader = Order.read &reader

        static member Enumerate(collection, count) =
            count <- collection.Count
            (collection :> seq<'T>).GetEnumerator()

        static member Add(builder, item) =
            Order.compared (fun () ->
                let isNew = not (builder.Value.Contains item)

                if isNew then
                    builder.Value <- builder.Value.Add item

                isNew)

[<Struct; NoEquality; NoComparison>]
type internal MapKind<'K, 'V when 'K: comparison> =
    interface IBuiltKind<Map<'K, 'V>, KeyValuePair<'K, 'V>, IEnumerator<KeyValuePair<'K, 'V>>, Growing<Map<'K, 'V>>> with
        static member Create(_, _) = Growing Map.empty
        static member Finish builder = builder.Value

    interface ICollectionKind<Map<'K, 'V>, KeyValuePair<'K, 'V>, IEnumerator<KeyValuePair<'K, 'V>>, Growing<Map<'K, 'V>>> with
        static member HasComparer = true
        static member WriteComparer(writer, _) = Order.write &writer
        static member ReadComparer reader = Order.read &reader

        static member Enumerate(collection, count) =
            count <- collection.Count
            (collection :> seq<KeyValuePair<'K, 'V>>).GetEnumerator()

        static member Add(builder, item) =
            Order.compared (fun () ->
                let isNew = not (builder.Value.ContainsKey item.Key)

                if isNew then
                    builder.Value <- builder.Value.Add(item.Key, item.Value)

                isNew)
