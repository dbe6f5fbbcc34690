using System.ComponentModel;
using System.ComponentModel.DataAnnotations;
using System.Data.SqlTypes;
using System.Dynamic;
using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using Wire.SerializerFactories;
using Wire.ValueSerializers.Collections.Kinds;
using Wire.ValueSerializers.Exceptions;
using Wire.ValueSerializers.Scalars;
using static Wire.SerializerFactories.NativeCode;

namespace Wire;

/// <content>What native programs leave out unless they say so, because each draws in an assembly of .NET.</content>
public static partial class WireRow
{
    /// <summary>Lists that are bound to controls, and ValidationResult.</summary>
    public static WireTypeRow Components()
    {
        Wrapped<ValidationResult, ValidationResultState, ValidationResultState, ValidationResultKind>();
        Families.Add(Families.Components);
        return Row<BindingList<object>>();
    }

    /// <summary>The values of databases in System.Data.SqlTypes, and PropertyCollection.</summary>
    public static WireTypeRow Data()
    {
        KeepPart<SqlCompareOptions, int>();
        Families.Add(Families.Data);
        return Row<SqlString>();
    }

    /// <summary>ExpandoObject.</summary>
    public static WireTypeRow Dynamic()
    {
        Grown<ExpandoObject, KeyValuePair<string, object?>, IEnumerator<KeyValuePair<string, object?>>, ExpandoKind>();
        Families.Add(Families.Dynamic);
        return Row<ExpandoObject>();
    }

    /// <summary>JsonElement, JsonDocument, and the nodes of System.Text.Json.</summary>
    public static WireTypeRow Json()
    {
        KeepParts<JsonNodeParts>();
        Families.Add(Families.Json);
        return Row<JsonElement>();
    }

    /// <summary>Addresses, end points, cookies and other values of System.Net.</summary>
    public static WireTypeRow Net()
    {
        KeepPart<CookieConversion.Flags, byte>();
        KeepPart<AddressFamily, int>();
        Families.Add(Families.Net);
        return Row<IPAddress>();
    }

    /// <summary>Regular expressions.</summary>
    public static WireTypeRow Regex()
    {
        KeepPart<RegexOptions, int>();
        Families.Add(Families.Regex);
        return Row<System.Text.RegularExpressions.Regex>();
    }

    /// <summary>
    /// Encodings, StringBuilder, time zones, formats, vectors, points, colors, MemoryStream, AssemblyName, and the numbers of activities.
    /// </summary>
    public static WireTypeRow Scalars()
    {
        KeepPartsOfScalars();
        Families.Add(Families.Scalars);
        return Row<System.Text.Encoding>();
    }

    /// <summary>The collections of System.Collections and System.Collections.Specialized, which have no type arguments.</summary>
    public static WireTypeRow Untyped()
    {
        KeepUntyped();
        Families.Add(Families.Untyped);
        return Row<System.Collections.ArrayList>();
    }

    /// <summary>The elements, documents and names of System.Xml.Linq.</summary>
    public static WireTypeRow Xml()
    {
        KeepParts<XDocumentConversion.Declaration>();
        Families.Add(Families.Xml);
        return Row<XElement>();
    }
}
