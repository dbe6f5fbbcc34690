using System.ComponentModel;
using System.Data.SqlTypes;
using System.Dynamic;
using System.Net;
using System.Text.Json;
using System.Xml.Linq;
using Wire.SerializerFactories;
using static Wire.SerializerFactories.NativeCode;

namespace Wire;

/// <content>What native programs leave out unless they say so, because each draws in an assembly of .NET.</content>
public static partial class WireRow
{
    /// <summary>Lists that are bound to controls, and ValidationResult.</summary>
    public static WireTypeRow Components()
    {
        Families.Add(Families.Components);
        return Row<BindingList<object>>();
    }

    /// <summary>The values of databases in System.Data.SqlTypes, and PropertyCollection.</summary>
    public static WireTypeRow Data()
    {
        Families.Add(Families.Data);
        return Row<SqlString>();
    }

    /// <summary>ExpandoObject.</summary>
    public static WireTypeRow Dynamic()
    {
        Families.Add(Families.Dynamic);
        return Row<ExpandoObject>();
    }

    /// <summary>JsonElement, JsonDocument, and the nodes of System.Text.Json.</summary>
    public static WireTypeRow Json()
    {
        Families.Add(Families.Json);
        return Row<JsonElement>();
    }

    /// <summary>Addresses, end points, cookies and other values of System.Net.</summary>
    public static WireTypeRow Net()
    {
        Families.Add(Families.Net);
        return Row<IPAddress>();
    }

    /// <summary>Regular expressions.</summary>
    public static WireTypeRow Regex()
    {
        Families.Add(Families.Regex);
        return Row<System.Text.RegularExpressions.Regex>();
    }

    /// <summary>The elements, documents and names of System.Xml.Linq.</summary>
    public static WireTypeRow Xml()
    {
        Families.Add(Families.Xml);
        return Row<XElement>();
    }
}
